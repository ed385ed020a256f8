import type { Measurement } from "./measurement.js";
import type { Measured } from "./row.js";
import { startWorker } from "./worker.js";

/**
 * Runs one of `allMeasurements` in a new process, so that compiled code and memory of other stores and libraries do not affect
 * it.
 */
export function inOwnProcess(measurement: Measurement): Measurement {
  return {
    ...measurement,
    async measure({ runs, folder }) {
      const worker = startWorker("measure", [measurement.work, String(runs), folder], { leads: true });
      try {
        const word = await worker.hear();
        if (!isMeasured(word)) throw new Error("a worker said something else than what it has measured");
        return word;
      } finally {
        await worker.end();
      }
    },
  };
}

function isMeasured(word: unknown): word is Measured {
  return typeof word === "object" && word !== null && "values" in word && Array.isArray(word.values);
}
