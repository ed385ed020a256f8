import type { Bar } from "./bar.js";
import type { Measured, Unit } from "./row.js";

/** Where and how often a measurement is made. */
export interface Bench {
  /** How many repetitions count; warm-up comes on top. */
  readonly runs: number;
  /** An empty folder of its own. It is removed afterwards. */
  readonly folder: string;
}

/** One row in the making. */
export interface Measurement {
  readonly work: string;
  readonly unit: Unit;
  /** Absent for what is only told. */
  readonly bar: Bar | undefined;
  measure(bench: Bench): Promise<Measured>;
}
