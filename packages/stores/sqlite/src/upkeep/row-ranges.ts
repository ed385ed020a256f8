import type { History, Run } from "@sessions/protocol/backend";
import { firstRow } from "../session/row-number.js";
import { runsOf } from "../runs-of.js";

/** The rows of a log that histories consist of. */
export function rowsIn(histories: readonly History[], log: number): readonly Run[] {
  const from = firstRow(log);
  const to = firstRow(log + 1);
  return histories.flatMap((one) => runsOf(one).list).filter((run) => run.from >= from && run.to <= to);
}

/** What lies between these runs, in a log. */
export function holesBetween(held: readonly Run[], log: number): readonly Run[] {
  const holes: Run[] = [];
  let from = firstRow(log);
  for (const run of held.toSorted((a, b) => a.from - b.from)) {
    if (run.from > from) holes.push({ from, to: run.from });
    from = Math.max(from, run.to);
  }
  holes.push({ from, to: firstRow(log + 1) });
  return holes;
}
