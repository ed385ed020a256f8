import type { HistoryEvent } from "@sessions/conformance/multi-process";
import type { FinalState, ReceivedChange } from "../log/log-line.js";
import type { Finding } from "./finding.js";

/** Every watcher received the last change of every session, across restarts, and no change that no process made. */
export function checkFeedsCaughtUp(
  history: readonly HistoryEvent[],
  feeds: readonly ReceivedChange[],
  states: readonly FinalState[],
): Finding[] {
  const final = new Map(states.map(({ session, revision }) => [session, revision]));
  const missed = missedLastChanges(history, feeds, final).map(({ watcher, session }) =>
    finding(session, `watcher ${watcher} never received revision ${final.get(session)}, its last one`),
  );
  const invented = feeds
    .filter(({ session, revision }) => revision > (final.get(session) ?? 0))
    .map(({ watcher, session, revision }) =>
      finding(session, `watcher ${watcher} received revision ${revision}, which the session never reached`),
    );
  return [...missed, ...invented];
}

/** A session whose last change a watcher has not received yet. */
export interface MissedLastChange {
  readonly watcher: number;
  readonly session: string;
}

/**
 * The sessions whose last revision a watcher did not receive. A watcher begins without a cursor, so only acknowledged commits
 * count that were sent after its first change. Feeds coalesce changes, so earlier revisions do not count.
 */
export function missedLastChanges(
  history: readonly HistoryEvent[],
  feeds: readonly ReceivedChange[],
  final: ReadonlyMap<string, number>,
): MissedLastChange[] {
  const changedAt = lastAcknowledged(history);
  return [...watchersOf(feeds)].flatMap(([watcher, { since, seen }]) =>
    [...changedAt]
      .filter(([session, at]) => at > since && (seen.get(session) ?? 0) < (final.get(session) ?? 0))
      .map(([session]) => ({ watcher, session })),
  );
}

/** When the last acknowledged commit of each session was sent. */
function lastAcknowledged(history: readonly HistoryEvent[]): ReadonlyMap<string, number> {
  const sent = new Map<string, { readonly session: string; readonly at: number }>();
  const last = new Map<string, number>();
  for (const event of history) {
    const name = `${event.process}#${event.call}`;
    if (event.type === "invoke" && event.action.kind !== "read") sent.set(name, event);
    const call = event.type === "ok" && showsChange(event.result) ? sent.get(name) : undefined;
    if (call !== undefined) last.set(call.session, Math.max(last.get(call.session) ?? 0, call.at));
  }
  return last;
}

/** A duplicate, or a result without a revision, does not show that the session changed. */
function showsChange({ revision = 0, duplicate, token }: HistoryResult): boolean {
  return duplicate !== true && (revision > 0 || token !== undefined);
}

type HistoryResult = Extract<HistoryEvent, { readonly type: "ok" }>["result"];

interface Watcher {
  /** When it received its first change. */
  since: number;
  /** The newest revision of each session that it received. */
  readonly seen: Map<string, number>;
}

function watchersOf(feeds: readonly ReceivedChange[]): ReadonlyMap<number, Watcher> {
  const watchers = new Map<number, Watcher>();
  for (const { watcher, at, session, revision } of feeds) {
    const state = watchers.get(watcher) ?? { since: at, seen: new Map<string, number>() };
    watchers.set(watcher, state);
    state.since = Math.min(state.since, at);
    state.seen.set(session, Math.max(state.seen.get(session) ?? 0, revision));
  }
  return watchers;
}

function finding(session: string, detail: string): Finding {
  return { kind: "feed", session, detail };
}
