import type { Measurement } from "./measurement.js";
import type { Measured } from "./row.js";
import { startWorker } from "./worker.js";

/**
 * The same measurement, one of `allMeasurements`, in a process that does nothing else: what other stores and libraries have left
 * behind (compiled for them, kept for them) says nothing about this one, and nobody who uses one store has it.
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
