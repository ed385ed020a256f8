import type { Measurement } from "./measurement.js";
import type { Progress } from "./progress.js";
import { type Row, rowOf } from "./row.js";
import type { WorkFolder } from "./work-folder.js";

/** Makes one measurement after the other. */
export async function runMeasurements(
  measurements: readonly Measurement[],
  runs: number,
  work: WorkFolder,
  progress: Progress,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const measurement of measurements) {
    progress.say(rows.length, measurements.length, measurement.work);
    rows.push(await work.during((folder) => rowIn(measurement, runs, folder)));
  }
  return rows;
}

/** What fails is a row too: it is told with the others, and misses its bar. */
async function rowIn(measurement: Measurement, runs: number, folder: string): Promise<Row> {
  try {
    return rowOf(measurement, await measurement.measure({ runs, folder }));
  } catch (error) {
    const problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return rowOf(measurement, { values: [], problem });
  }
}
