import type { Bar } from "./bar.js";
import type { Measured, Unit } from "./row.js";

/** The folder and the repetitions of a measurement. */
export interface Bench {
  /** The number of repetitions, without warm-up. */
  readonly runs: number;
  /** An empty folder, which is removed afterwards. */
  readonly folder: string;
}

/** A measurement, which gives one row. */
export interface Measurement {
  readonly work: string;
  readonly unit: Unit;
  /** Absent for a figure without a limit. */
  readonly bar: Bar | undefined;
  measure(bench: Bench): Promise<Measured>;
}
