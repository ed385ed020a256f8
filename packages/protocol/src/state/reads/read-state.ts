import type { MessageRange, MessageSelection, Selection } from "../../backend/selection.js";
import type { SummaryRecord } from "../../backend/session-backend.js";
import type { SessionRecord } from "../../backend/session-record.js";
import type { Message } from "../../message/message.js";
import type { SnapshotInfo } from "../../session/snapshot-info.js";
import { archiveNotFound } from "../apply/archive.js";
import { notHeld } from "../apply/message-not-found.js";
import { type History, liveCount } from "../history.js";
import type { Mutable } from "../mutable.js";
import type { LiveState, Snapshot } from "../session-state.js";

/** Reads a session from its state in memory. It is the reference for every backend's `read`. */
export function readState(sessionId: string, state: LiveState, select: Selection): SessionRecord {
  const { messages, revisions } = selected(sessionId, state.history, select.messages);
  const record: Mutable<SessionRecord> = Object.assign(summaryOf(sessionId, state), { messages });
  if (select.revisions === true) record.revisions = revisions();
  return record;
}

/** Everything but the messages. Field by field: every read makes one, and a spread costs more. */
export function summaryOf(sessionId: string, state: LiveState): SummaryRecord {
  const { history, snapshots } = state;
  const summary: Mutable<SummaryRecord> = {
    id: sessionId,
    incarnation: state.incarnation,
    revision: state.revision,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    labels: state.labels,
    metadata: state.metadata,
    counters: state.counters,
    messageCount: liveCount(history),
    rewrittenAt: state.rewrittenAt,
    archives: history.archives,
    partials: history.partials,
    snapshots: snapshots.map(snapshotInfo),
    queue: state.queue,
  };
  if (state.expiresAt !== undefined) summary.expiresAt = state.expiresAt;
  if (state.expiresIn !== undefined) summary.expiresIn = state.expiresIn;
  if (state.renewOnUse !== undefined) summary.renewOnUse = state.renewOnUse;
  if (state.title !== undefined) summary.title = state.title;
  if (state.parent !== undefined) summary.parent = state.parent;
  if (state.turn !== undefined) summary.turn = state.turn;
  if (state.lastTurn !== undefined) summary.lastTurn = state.lastTurn;
  return summary;
}

function snapshotInfo({ name, createdAt, revision, messageCount }: Snapshot): SnapshotInfo {
  return { name, createdAt, revision, messageCount };
}

interface Selected {
  readonly messages: readonly Message[];
  /** A function, because few reads need them. */
  readonly revisions: () => readonly number[];
}

function selected(sessionId: string, history: History, select: MessageSelection): Selected {
  if (select === "none") return slice(history, 0, 0);
  if (select === "all") return slice(history, history.liveFrom, history.messages.length);
  return "ids" in select ? byId(history, select.ids) : inRange(sessionId, history, select);
}

function slice(history: History, from: number, to: number): Selected {
  return { messages: history.messages.slice(from, to), revisions: () => history.revisions.slice(from, to) };
}

function byId(history: History, ids: readonly string[]): Selected {
  const messages: Message[] = [];
  const revisions: number[] = [];
  for (const id of ids) {
    const position = history.messages.positionOf(id);
    const message = position === undefined ? undefined : history.messages.get(position);
    if (position === undefined || message === undefined) continue;
    messages.push(message);
    revisions.push(history.revisions.get(position) ?? 0);
  }
  return { messages, revisions: () => revisions };
}

function inRange(sessionId: string, history: History, range: MessageRange): Selected {
  const [start, end] = bounds(sessionId, history, range.archive);
  const after = range.after === undefined ? start : position(sessionId, history, range.after) + 1;
  const to = range.before === undefined ? end : Math.min(end, position(sessionId, history, range.before));
  const from = Math.max(start, after, range.last === undefined ? 0 : to - range.last);
  return slice(history, from, Math.max(from, to));
}

function bounds(
  sessionId: string,
  history: History,
  archiveId: string | undefined,
): readonly [number, number] {
  if (archiveId === undefined) return [history.liveFrom, history.messages.length];
  let start = 0;
  for (const archive of history.archives) {
    if (archive.id === archiveId) return [start, start + archive.messageCount];
    start += archive.messageCount;
  }
  throw archiveNotFound({ sessionId }, archiveId);
}

function position(sessionId: string, history: History, messageId: string): number {
  const found = history.messages.positionOf(messageId);
  if (found === undefined) throw notHeld(sessionId, messageId);
  return found;
}
