import type { Segments } from "./segments.js";

/** Thrown where so many rows would have to be read that the event loop would stand still. */
export class RowsNeeded extends Error {
  readonly segments: Segments;

  constructor(segments: Segments) {
    super(`${segments.length} rows are needed`);
    this.segments = segments;
  }
}
