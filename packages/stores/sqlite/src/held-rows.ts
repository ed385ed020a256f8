import type { History } from "@sessions/protocol";
import { firstRow } from "./row-number.js";
import type { Segment } from "./segments.js";
import { segmentsOf } from "./segments-of.js";

/** The rows of a log that histories consist of. */
export function rowsIn(histories: readonly History[], log: number): readonly Segment[] {
  const from = firstRow(log);
  const to = firstRow(log + 1);
  return histories
    .flatMap((one) => segmentsOf(one).list)
    .filter((segment) => segment.from >= from && segment.to <= to);
}

/** What lies between these runs, in a log. */
export function holesBetween(held: readonly Segment[], log: number): readonly Segment[] {
  const holes: Segment[] = [];
  let from = firstRow(log);
  for (const segment of held.toSorted((a, b) => a.from - b.from)) {
    if (segment.from > from) holes.push({ from, to: segment.from });
    from = Math.max(from, segment.to);
  }
  holes.push({ from, to: firstRow(log + 1) });
  return holes;
}
