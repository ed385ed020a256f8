import { mergeConfig } from "vitest/config";
import shared from "../../../vitest.shared.mjs";

export default mergeConfig(shared, {
  test: {
    // No test changes what others see (no mocks, no globals), and loading everything again for each of 45 files takes 13 s.
    isolate: false,
    // Each step of the model lists all sessions, and here that reads every journal: fewer sequences than in memory.
    env: { SESSIONS_MODEL_RUNS: process.env.SESSIONS_MODEL_RUNS ?? "60" },
  },
});
