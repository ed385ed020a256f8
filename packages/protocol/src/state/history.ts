import type { Message } from "../message/message.js";
import { PersistentMap } from "../persistent/persistent-map.js";
import { PersistentVector } from "../persistent/persistent-vector.js";
import type { ArchiveInfo } from "../session/archive-info.js";

/**
 * All messages that a session holds, in one immutable sequence: the archived ones, then, from `liveFrom` on, the live
 * ones. Archives are consecutive runs from the beginning. Snapshots and archives cost nothing, because nothing is
 * ever copied: this value is kept, or the watermark moves.
 */
export interface History {
  readonly messages: PersistentVector<Message>;
  /** The revision that added each of `messages`: what a three-way replace asks for. */
  readonly revisions: PersistentVector<number>;
  /** Where each held message stands in `messages`. */
  readonly positions: PersistentMap<number>;
  readonly liveFrom: number;
  readonly archives: readonly ArchiveInfo[];
  /** Live messages with the status `partial`, oldest first: few, and looked up whenever a turn ends. */
  readonly partials: readonly string[];
}

export const EMPTY_HISTORY: History = {
  messages: PersistentVector.empty(),
  revisions: PersistentVector.empty(),
  positions: PersistentMap.empty(),
  liveFrom: 0,
  archives: [],
  partials: [],
};

/** A history of these messages, the first of which the archives cover. */
export function historyOf(
  messages: readonly Message[],
  revisions: readonly number[],
  archives: readonly ArchiveInfo[],
): History {
  let positions = PersistentMap.empty<number>();
  for (const [position, message] of messages.entries()) positions = positions.set(message.id, position);
  const liveFrom = archives.reduce((sum, archive) => sum + archive.messageCount, 0);
  const partials = messages.slice(liveFrom).filter(isPartial).map((message) => message.id);
  return {
    messages: PersistentVector.from(messages),
    revisions: PersistentVector.from(revisions),
    positions,
    liveFrom,
    archives,
    partials,
  };
}

export function liveCount(history: History): number {
  return history.messages.length - history.liveFrom;
}

/** The position of a live message, or `undefined`. */
export function livePosition(history: History, messageId: string): number | undefined {
  const position = history.positions.get(messageId);
  return position !== undefined && position >= history.liveFrom ? position : undefined;
}

export function pushed(history: History, message: Message, revision: number): History {
  return {
    ...history,
    messages: history.messages.push(message),
    revisions: history.revisions.push(revision),
    positions: history.positions.set(message.id, history.messages.length),
    partials: isPartial(message) ? [...history.partials, message.id] : history.partials,
  };
}

/** The message at `position` replaced; it keeps its id. */
export function replaced(history: History, position: number, message: Message): History {
  const messages = history.messages.set(position, message);
  const listed = history.partials.includes(message.id);
  if (listed === isPartial(message)) return { ...history, messages };
  if (listed) return { ...history, messages, partials: history.partials.filter((id) => id !== message.id) };
  const partials = [...history.partials, message.id].sort((a, b) => placeOf(history, a) - placeOf(history, b));
  return { ...history, messages, partials };
}

/** Only the first `length` messages. Costs what is cut off. */
export function truncated(history: History, length: number): History {
  if (length >= history.messages.length) return history;
  const cut = history.messages.slice(length).map((message) => message.id);
  let { positions } = history;
  for (const id of cut) positions = positions.delete(id);
  const partials = history.partials.filter((id) => positions.has(id));
  const messages = history.messages.truncate(length);
  return { ...history, messages, revisions: history.revisions.truncate(length), positions, partials };
}

/** Without these live positions. Costs what stands behind the first of them. */
export function without(history: History, positions: ReadonlySet<number>): History {
  let first = history.messages.length;
  for (const position of positions) first = Math.min(first, position);
  const revisions = history.revisions.slice(first);
  return history.messages.slice(first).reduce((rest, message, index) => {
    return positions.has(first + index) ? rest : pushed(rest, message, revisions[index] ?? 0);
  }, truncated(history, first));
}

/** What nobody will finish any more is marked so. */
export function interruptPartials(history: History): History {
  return history.partials.reduce((marked, id) => {
    const position = marked.positions.get(id);
    const message = position === undefined ? undefined : marked.messages.get(position);
    return position === undefined || message === undefined
      ? marked
      : replaced(marked, position, { ...message, status: "interrupted" });
  }, history);
}

function placeOf(history: History, messageId: string): number {
  return history.positions.get(messageId) ?? -1;
}

export function isPartial(message: Message): boolean {
  return message.status === "partial";
}
