import type { HistoryAction } from "@sessions/conformance/multi-process";
import type { SortedLog } from "./judge.js";

/** The outcomes of the calls of one kind. */
interface CallTally {
  ok: number;
  failed: number;
  /** The process was killed before it got the result, or the result was OUTCOME_UNKNOWN. */
  unknown: number;
}

/** The calls of a log, counted. */
export interface Tally {
  readonly calls: Readonly<Record<string, CallTally>>;
  /** Messages whose append was acknowledged. The copies in a fork are the same messages. */
  readonly acknowledged: number;
}

export function tallyOf({ history, listings, feeds }: SortedLog): Tally {
  const calls: Record<string, CallTally> = {};
  const actions = new Map<string, HistoryAction>();
  const acknowledged = new Set<string>();
  for (const event of history) {
    const name = `${event.process}#${event.call}`;
    if (event.type === "invoke") {
      actions.set(name, event.action);
      of(calls, event.action.kind).unknown++;
      continue;
    }
    const action = actions.get(name);
    if (action === undefined || event.type === "unknown") continue;
    const tally = of(calls, action.kind);
    tally.unknown--;
    if (event.type === "ok") tally.ok++;
    else tally.failed++;
    if (event.type === "ok") for (const id of added(action)) acknowledged.add(id);
  }
  if (listings.length > 0) of(calls, "list").ok += listings.length;
  if (feeds.length > 0) of(calls, "change received").ok += feeds.length;
  return { calls, acknowledged: acknowledged.size };
}

function of(calls: Record<string, CallTally>, kind: string): CallTally {
  calls[kind] ??= { ok: 0, failed: 0, unknown: 0 };
  return calls[kind];
}

function added(action: HistoryAction): readonly string[] {
  const adds = action.kind === "append" || action.kind === "insert" || action.kind === "end-turn";
  return adds ? (action.ids ?? []) : [];
}
