import type { HistoryEvent } from "@sessions/conformance/multi-process";
import type { Audited, Fed } from "../log/log-line.js";
import type { Finding } from "./finding.js";

/** Every watcher received the last change of every session, across restarts, and no change that no process made. */
export function checkFeedsCaughtUp(
  history: readonly HistoryEvent[],
  feeds: readonly Fed[],
  audited: readonly Audited[],
): Finding[] {
  const final = new Map(audited.map(({ session, revision }) => [session, revision]));
  const missed = missedLastChanges(history, feeds, final).map(({ watcher, session }) =>
    finding(session, `watcher ${watcher} was never given revision ${final.get(session)}, its last one`),
  );
  const invented = feeds
    .filter(({ session, revision }) => revision > (final.get(session) ?? 0))
    .map(({ watcher, session, revision }) =>
      finding(session, `watcher ${watcher} was given revision ${revision}, which the session never reached`),
    );
  return [...missed, ...invented];
}

/** A change that a watcher has not received yet. */
export interface MissedLastChange {
  readonly watcher: number;
  readonly session: string;
}

/**
 * The sessions whose last revision a watcher did not receive. A watcher without a cursor receives changes from its first one on,
 * so only commits that were sent after that and acknowledged count. Changes are coalesced: earlier ones do not count.
 */
export function missedLastChanges(
  history: readonly HistoryEvent[],
  feeds: readonly Fed[],
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
    const call = event.type === "ok" && raised(event.result) ? sent.get(name) : undefined;
    if (call !== undefined) last.set(call.session, Math.max(last.get(call.session) ?? 0, call.at));
  }
  return last;
}

/** A duplicate, or an answer without a revision, does not say that the session changed. */
function raised({ revision = 0, duplicate, token }: HistoryResult): boolean {
  return duplicate !== true && (revision > 0 || token !== undefined);
}

type HistoryResult = Extract<HistoryEvent, { readonly type: "ok" }>["result"];

interface Watcher {
  /** When it received its first change. */
  since: number;
  /** The newest revision of each session that it received. */
  readonly seen: Map<string, number>;
}

function watchersOf(feeds: readonly Fed[]): ReadonlyMap<number, Watcher> {
  const watchers = new Map<number, Watcher>();
  for (const { watcher, at, session, revision } of feeds) {
    const known = watchers.get(watcher) ?? { since: at, seen: new Map<string, number>() };
    watchers.set(watcher, known);
    known.since = Math.min(known.since, at);
    known.seen.set(session, Math.max(known.seen.get(session) ?? 0, revision));
  }
  return watchers;
}

function finding(session: string, detail: string): Finding {
  return { kind: "feed", session, detail };
}
