import { mergeConfig } from "vitest/config";
import shared from "../../../vitest.shared.mjs";

// Every step of the model asks a server several times: fewer sequences than in memory.
export default mergeConfig(shared, {
  test: { env: { SESSIONS_MODEL_RUNS: process.env.SESSIONS_MODEL_RUNS ?? "20" } },
});
