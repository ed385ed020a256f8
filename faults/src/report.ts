import type { Tally, Violation } from "./worker-task.js";

/** The result of the trials of one store. */
export interface StoreReport {
  readonly store: string;
  readonly tally: Tally;
  readonly violations: readonly Violation[];
}

/** The result of a run. */
export interface Report {
  readonly verdict: "sound" | "violated" | "interrupted";
  readonly seed: number;
  readonly seconds: number;
  readonly stores: readonly StoreReport[];
}
