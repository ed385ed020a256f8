import { mergeConfig } from "vitest/config";
import shared from "../../../vitest.shared.mjs";

// Every step of the model is a transaction that waits for the disk: fewer sequences than in memory.
export default mergeConfig(shared, {
  test: { env: { SESSIONS_MODEL_RUNS: process.env.SESSIONS_MODEL_RUNS ?? "60" } },
});
