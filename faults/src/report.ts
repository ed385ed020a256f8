import type { Tally, Violation } from "./worker-task.js";

/** What a run of one store came to. */
export interface StoreReport {
  readonly store: string;
  readonly tally: Tally;
  readonly violations: readonly Violation[];
}

/** What a run came to. */
export interface Report {
  readonly verdict: "sound" | "violated" | "interrupted";
  readonly seed: number;
  readonly seconds: number;
  readonly stores: readonly StoreReport[];
}
