import type { Tally } from "../../judge/tally.js";
import type { Call, SortedTurns } from "./sort-turns.js";

/** Counts the calls of a log by method and outcome, and the settled updates. */
export function tallyTurns({ calls, histories }: SortedTurns): Tally {
  const counted: Record<string, { ok: number; failed: number; unknown: number }> = {};
  for (const call of calls) {
    const tally = counted[nameOf(call)] ?? { ok: 0, failed: 0, unknown: 0 };
    counted[nameOf(call)] = tally;
    tally[resultOf(call)]++;
  }
  const settled = [...histories.values()].filter((history) => history.settled.length > 0);
  return { calls: counted, acknowledged: settled.length };
}

/** The busy mode or the method of a call, and its outcome. */
function nameOf({ delivered, replied }: Call): string {
  const { via, update } = delivered;
  const name = via === "handle" ? update.mode : via;
  return replied === undefined || replied.outcome === "done" ? name : `${name}: ${replied.outcome}`;
}

function resultOf({ replied, refused }: Call): "ok" | "failed" | "unknown" {
  if (replied !== undefined) return "ok";
  return refused === undefined ? "unknown" : "failed";
}
