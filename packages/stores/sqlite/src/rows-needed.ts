import type { Runs } from "@sessions/protocol/backend";

/** Thrown where so many rows would have to be read that the event loop would stand still. */
export class RowsNeeded extends Error {
  readonly runs: Runs;

  constructor(runs: Runs) {
    super(`${runs.length} rows are needed`);
    this.runs = runs;
  }
}
