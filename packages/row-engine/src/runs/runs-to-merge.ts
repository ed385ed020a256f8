import type { Run } from "./runs.js";

/** A history with more runs than this is rewritten in part. */
const MAX_RUNS = 64;
/** This many adjacent runs become one. */
const RUNS_MERGED = 32;
/** More rows than this are not copied, unless the history has more than `TOO_MANY_RUNS`. */
const MAX_ROWS_COPIED = 1000;
const TOO_MANY_RUNS = 512;

/** Positions in a list of runs, `from` up to and without `to`. */
export interface RunWindow {
  readonly from: number;
  readonly to: number;
}

/** The runs to copy into one, so that a history which is changed again and again does not become ever slower to read. */
export function runsToMerge(runs: readonly Run[]): RunWindow | undefined {
  if (runs.length <= MAX_RUNS) return undefined;
  let best = { from: 0, rows: Number.POSITIVE_INFINITY };
  for (let from = 0; from + RUNS_MERGED <= runs.length; from++) {
    const rows = runs.slice(from, from + RUNS_MERGED).reduce((sum, run) => sum + run.to - run.from, 0);
    if (rows < best.rows) best = { from, rows };
  }
  if (best.rows > MAX_ROWS_COPIED && runs.length < TOO_MANY_RUNS) return undefined;
  return { from: best.from, to: best.from + RUNS_MERGED };
}
