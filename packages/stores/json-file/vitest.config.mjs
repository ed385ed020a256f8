import { mergeConfig } from "vitest/config";
import shared from "../../../vitest.shared.mjs";

export default mergeConfig(shared, {
  test: {
    // No test changes what others see (no mocks, no globals). Loading everything again for each file took 9 s of CPU time
    // for 31 of them.
    isolate: false,
    // Each step of the model lists all sessions, and here that reads every journal: fewer sequences than in memory.
    env: { SESSIONS_MODEL_RUNS: process.env.SESSIONS_MODEL_RUNS ?? "60" },
  },
});
