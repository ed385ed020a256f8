import type { Measurement } from "./measurement.js";
import type { Progress } from "./progress.js";
import { type Measured, type Row, rowOf } from "./row.js";
import type { WorkFolder } from "./work-folder.js";

/** Runs the measurements one after the other. */
export async function runMeasurements(
  measurements: readonly Measurement[],
  runs: number,
  work: WorkFolder,
  progress: Progress,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const measurement of measurements) {
    progress.say(rows.length, measurements.length, measurement.work);
    const measured = await work.during((folder) => measuredIn(measurement, runs, folder));
    rows.push(rowOf(measurement, measured));
  }
  return rows;
}

/** A failed measurement gives a row too, which misses its bar. */
export async function measuredIn(measurement: Measurement, runs: number, folder: string): Promise<Measured> {
  try {
    return await measurement.measure({ runs, folder });
  } catch (error) {
    return {
      values: [],
      problem: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    };
  }
}
