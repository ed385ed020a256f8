import { equalJson } from "../json/equal-json.js";
import type { Message } from "../message/message.js";
import { KeyedVector } from "../persistent/keyed-vector.js";
import { PersistentVector } from "../persistent/persistent-vector.js";
import type { ArchiveInfo } from "../session/archive-info.js";
import type { MessageSequence, Sequence } from "./sequence.js";

/**
 * All messages of a session in one immutable sequence: first the archived ones, then, from `liveFrom` on, the live
 * ones. Archives are consecutive ranges from the start. Snapshots and archives copy nothing: a snapshot keeps this
 * value, and an archive moves `liveFrom`.
 */
export interface History {
  readonly messages: MessageSequence;
  /** The revision that added each of `messages`. A three-way replace needs it. */
  readonly revisions: Sequence<number>;
  readonly liveFrom: number;
  readonly archives: readonly ArchiveInfo[];
  /** Ids of the live messages with the status `partial`, oldest first. There are few, and every end of a turn looks them up. */
  readonly partials: readonly string[];
}

export const EMPTY_HISTORY: History = {
  messages: KeyedVector.empty(),
  revisions: PersistentVector.empty(),
  liveFrom: 0,
  archives: [],
  partials: [],
};

/** A history of these messages. The archives cover the first of them. */
export function historyOf(
  messages: MessageSequence,
  revisions: Sequence<number>,
  archives: readonly ArchiveInfo[],
): History {
  const liveFrom = archives.reduce((sum, archive) => sum + archive.messageCount, 0);
  const partials = messages
    .slice(liveFrom)
    .filter(isPartial)
    .map((message) => message.id);
  return { messages, revisions, liveFrom, archives, partials };
}

/** Whether two histories are equal. Mostly decided at once: the same object, or another length. */
export function sameHistory(a: History, b: History): boolean {
  if (a === b) return true;
  if (a.messages.length !== b.messages.length || a.liveFrom !== b.liveFrom) return false;
  if (!a.archives.every((archive, index) => sameArchive(archive, b.archives[index]))) return false;
  if (a.archives.length !== b.archives.length) return false;
  return a.messages === b.messages || sameMessages(a.messages, b.messages);
}

function sameMessages(a: MessageSequence, b: MessageSequence): boolean {
  const others = b.slice();
  return a.slice().every((message, index) => equalJson(message, others[index]));
}

/** Whether two archives of the same messages are equal. */
export function sameArchive(a: ArchiveInfo, b: ArchiveInfo | undefined): boolean {
  return a.id === b?.id && a.messageCount === b.messageCount && equalJson({ ...a.summary }, { ...b.summary });
}

export function liveCount(history: History): number {
  return history.messages.length - history.liveFrom;
}

/** The position of a live message, or `undefined`. */
export function livePosition(history: History, messageId: string): number | undefined {
  const position = history.messages.positionOf(messageId);
  return position !== undefined && position >= history.liveFrom ? position : undefined;
}

/** Adds a message, whose id is new, at the end. */
export function pushedOne(history: History, message: Message, revision: number): History {
  // Field by field: a spread costs many times as much, and nearly every commit runs this.
  return {
    messages: history.messages.push(message),
    revisions: history.revisions.push(revision),
    liveFrom: history.liveFrom,
    archives: history.archives,
    partials: isPartial(message) ? [...history.partials, message.id] : history.partials,
  };
}

/** Adds messages, whose ids are new, at the end. */
export function pushed(history: History, messages: readonly Message[], revision: number): History {
  const partials = messages.filter(isPartial).map((message) => message.id);
  return {
    ...history,
    messages: history.messages.pushAll(messages),
    revisions: history.revisions.pushAll(new Array<number>(messages.length).fill(revision)),
    partials: partials.length === 0 ? history.partials : [...history.partials, ...partials],
  };
}

/** Replaces the message at `position`. The id stays the same. */
export function replaced(history: History, position: number, message: Message): History {
  const messages = history.messages.set(position, message);
  const listed = history.partials.includes(message.id);
  if (listed === isPartial(message)) return { ...history, messages };
  if (listed) return { ...history, messages, partials: history.partials.filter((id) => id !== message.id) };
  const partials = [...history.partials, message.id].sort(
    (a, b) => placeOf(history, a) - placeOf(history, b),
  );
  return { ...history, messages, partials };
}

/** Only the first `length` messages. */
export function truncated(history: History, length: number): History {
  if (length >= history.messages.length) return history;
  const messages = history.messages.truncate(length);
  const partials = history.partials.filter((id) => messages.positionOf(id) !== undefined);
  return { ...history, messages, revisions: history.revisions.truncate(length), partials };
}

/** Removes the messages at these live positions. The cost is that of rewriting everything after the first of them. */
export function without(history: History, positions: ReadonlySet<number>): History {
  let first = history.messages.length;
  for (const position of positions) first = Math.min(first, position);
  const revisions = history.revisions.slice(first);
  return history.messages.slice(first).reduce(
    (rest, message, index) => {
      return positions.has(first + index) ? rest : pushedOne(rest, message, revisions[index] ?? 0);
    },
    truncated(history, first),
  );
}

/** Marks the partial messages as interrupted. */
export function interruptPartials(history: History): History {
  return withPartials(history, (message) => ({ ...message, status: "interrupted" }));
}

/** Makes the partial messages complete. */
export function finishPartials(history: History): History {
  return withPartials(history, finished);
}

// Keeps the order of the other keys: `rest` has all of them, and the last three only satisfy the compiler.
function finished(message: Message): Message {
  const { status: _, ...rest } = message;
  return { ...rest, id: message.id, role: message.role, createdAt: message.createdAt };
}

function withPartials(history: History, ended: (message: Message) => Message): History {
  return history.partials.reduce((marked, id) => {
    const position = marked.messages.positionOf(id);
    const message = position === undefined ? undefined : marked.messages.get(position);
    return position === undefined || message === undefined
      ? marked
      : replaced(marked, position, ended(message));
  }, history);
}

function placeOf(history: History, messageId: string): number {
  return history.messages.positionOf(messageId) ?? -1;
}

export function isPartial(message: Message): boolean {
  return message.status === "partial";
}
