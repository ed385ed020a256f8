import { pairMessages } from "../links/pair-messages.js";
import type { Message } from "../message.js";
import { startsBetween } from "./message-groups.js";

/**
 * Whether, knowing only the newest messages of a session, it is certain that no pair of the whole session is
 * cut at `from`../. If so, the messages from there on are grouped in the whole session as they are in the tail.
 *
 * It is certain when `from` begins a group of the tail, something of the tail lies before it, and every
 * result from there on has its call in the tail. A result without its call may be an orphan, or have its call
 * in what was not read; and whether a pair reaches across the tail's own beginning cannot be seen from
 * within.
 *
 * This makes these the same on the tail as on the whole session, with `from = tail.length - result.length`:
 * `newestMessages` (a group that does not fit would not fit either if it began before the tail), `lastGroup`
 * and `lastExchange`. Where it is false, read more and ask again; a tail that is the whole session needs no
 * asking.
 */
export function tailIsClosed(tail: readonly Message[], from: number): boolean {
  return from > 0 && (from === tail.length || closedStarts(tail).includes(from));
}

/**
 * The earliest position at which the tail is closed; its length if there is no earlier one. From there on the
 * tail can be read as if it were a session of its own, by `keepRoles` as well:
 * `keepRoles(tail.slice(closedFrom(tail)), roles)` is the end of what `keepRoles` gives for the whole
 * session.
 */
export function closedFrom(tail: readonly Message[]): number {
  return closedStarts(tail)[0] ?? tail.length;
}

function closedStarts(tail: readonly Message[]): readonly number[] {
  const { pairs, lastOrphan } = pairMessages(tail);
  // Never 0: the message before the tail may be a reasoning item that belongs to the tail's first.
  const uncertain = Math.max(0, lastOrphan);
  return startsBetween(tail.length, pairs).filter((start) => start > uncertain);
}
