import type { Run } from "./runs.js";

/** From so many runs on a history is tidied. */
const RUNS_AT_MOST = 64;
/** So many runs next to each other become one. */
const MERGED = 32;
/** More rows than this are not written anew for that, unless there are far too many runs. */
const ROWS_AT_MOST = 1000;
const FAR_TOO_MANY = 512;

/** Positions in a list of runs, `from` up to and without `to`. */
export interface RunWindow {
  readonly from: number;
  readonly to: number;
}

/** Which runs to write anew as one, so that a history that was changed over and over does not fall into crumbs. */
export function runsToMerge(runs: readonly Run[]): RunWindow | undefined {
  if (runs.length <= RUNS_AT_MOST) return undefined;
  let best = { from: 0, rows: Number.POSITIVE_INFINITY };
  for (let from = 0; from + MERGED <= runs.length; from++) {
    const rows = runs.slice(from, from + MERGED).reduce((sum, run) => sum + run.to - run.from, 0);
    if (rows < best.rows) best = { from, rows };
  }
  if (best.rows > ROWS_AT_MOST && runs.length < FAR_TOO_MANY) return undefined;
  return { from: best.from, to: best.from + MERGED };
}
