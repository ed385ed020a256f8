import { mergeConfig } from "vitest/config";
import shared from "../../../vitest.shared.mjs";

const { SESSIONS_MODEL_RUNS: runs } = process.env;

export default mergeConfig(shared, {
  test: {
    // Every step of the model asks a server several times: fewer sequences than in memory.
    env: { SESSIONS_MODEL_RUNS: runs ?? "20", SESSIONS_CLUSTER_MODEL_RUNS: runs ?? "5" },
    // Servers do the work, and many tests wait for one to die or to come back: more files at once than there are cores.
    maxWorkers: 3,
  },
});
