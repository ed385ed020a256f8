import { mergeConfig } from "vitest/config";
import shared from "../vitest.shared.mjs";

export default mergeConfig(shared, {
  test: {
    // A run starts four processes, so more concurrent runs would only slow each other down.
    maxConcurrency: 3,
    // A run on a Cluster takes 20 seconds, and on a machine that does much else a minute.
    testTimeout: 180_000,
  },
});
