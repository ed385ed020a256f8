import type { Run } from "./runs.js";

/** The rows of `held` that are in none of `kept`, as runs in ascending order. */
export function runDifference(held: readonly Run[], kept: readonly Run[]): readonly Run[] {
  return union(held).flatMap((run) => without(run, union(kept)));
}

/** The same rows in ascending order, with nothing twice. */
function union(runs: readonly Run[]): readonly Run[] {
  const list: { from: number; to: number }[] = [];
  for (const { from, to } of runs.toSorted((a, b) => a.from - b.from)) {
    const last = list.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else list.push({ from, to });
  }
  return list;
}

function without({ from, to }: Run, kept: readonly Run[]): readonly Run[] {
  const rest: Run[] = [];
  let start = from;
  for (const run of kept) {
    if (run.to <= start || run.from >= to) continue;
    if (run.from > start) rest.push({ from: start, to: run.from });
    start = Math.max(start, run.to);
  }
  return start < to ? [...rest, { from: start, to }] : rest;
}
