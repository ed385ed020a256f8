import type { HistoryAction } from "@sessions/conformance/multi-process";
import type { SortedLog } from "./judge.js";

/** What became of the calls of one kind. */
interface CallTally {
  ok: number;
  failed: number;
  /** Without an answer: the process was killed, or nobody knows. */
  unknown: number;
}

/** The calls of a log, counted. */
export interface Tally {
  readonly calls: Readonly<Record<string, CallTally>>;
  /** Messages whose append was acknowledged, in all sessions. */
  readonly acknowledged: number;
}

export function tallyOf({ history, listings }: SortedLog): Tally {
  const calls: Record<string, CallTally> = {};
  const actions = new Map<string, HistoryAction>();
  let acknowledged = 0;
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
    if (event.type === "ok" && event.result.duplicate !== true) acknowledged += added(action);
  }
  if (listings.length > 0) of(calls, "list").ok += listings.length;
  return { calls, acknowledged };
}

function of(calls: Record<string, CallTally>, kind: string): CallTally {
  calls[kind] ??= { ok: 0, failed: 0, unknown: 0 };
  return calls[kind];
}

function added(action: HistoryAction): number {
  const adds = action.kind === "append" || action.kind === "insert" || action.kind === "end-turn";
  return adds ? (action.ids?.length ?? 0) : 0;
}
