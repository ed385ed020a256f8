import { mergeConfig } from "vitest/config";
import shared from "../../../vitest.shared.mjs";

// Each step of the model lists all sessions, and here that reads every journal: fewer sequences than in memory.
export default mergeConfig(shared, {
  test: { env: { SESSIONS_MODEL_RUNS: process.env.SESSIONS_MODEL_RUNS ?? "60" } },
});
