import { mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.mjs";

// The example store has no engine of its own: the memory store's tests run the model at full length.
export default mergeConfig(shared, {
  test: { env: { SESSIONS_MODEL_RUNS: process.env.SESSIONS_MODEL_RUNS ?? "100" } },
});
