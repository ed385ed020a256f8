import { mergeConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import shared from "../../../vitest.shared.mjs";

/** Which files take longest: they begin first, and the others fill the gaps. */
const LONGEST = [
  "conformance-cluster",
  "conformance",
  "conformance-sentinel",
  "half-moved-slot",
  "long-sessions",
  "killed-between-commands",
];

class LongestFirst extends BaseSequencer {
  async sort(files) {
    const place = ({ moduleId }) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index < 0 ? LONGEST.length : index;
    };
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

export default mergeConfig(shared, {
  test: {
    // Every step of the model asks a server several times: fewer sequences than in memory.
    env: { SESSIONS_MODEL_RUNS: process.env.SESSIONS_MODEL_RUNS ?? "8" },
    // Servers do the work, and many tests wait for one to die or to come back: more files at once than there are cores.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
});
