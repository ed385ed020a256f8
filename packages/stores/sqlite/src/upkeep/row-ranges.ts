import type { Run } from "@sessions/row-engine";
import { firstRowOf } from "../session/row-number.js";

/** The rows of a log that are in none of these runs. */
export function rowsOutside(runs: readonly Run[], log: number): readonly Run[] {
  const first = firstRowOf(log);
  const end = firstRowOf(log + 1);
  const ofLog = runs.filter((run) => run.from >= first && run.to <= end);
  const outside: Run[] = [];
  let from = first;
  for (const run of ofLog.toSorted((a, b) => a.from - b.from)) {
    if (run.from > from) outside.push({ from, to: run.from });
    from = Math.max(from, run.to);
  }
  outside.push({ from, to: end });
  return outside;
}
