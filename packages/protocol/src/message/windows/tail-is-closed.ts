import { pairMessages } from "../links/pair-messages.js";
import type { Message } from "../message.js";
import { cutsBetween } from "./message-groups.js";

/**
 * Whether it is certain, from the newest messages of a session alone, that a cut at `from` separates no pair of the whole
 * session. Then the messages from there on have the same groups in the whole session as in the tail.
 *
 * It is certain if a group of the tail begins at `from`, the tail has a message before it, and every result from there on
 * has its call in the tail. A result without its call may be an orphan, or its call may be in the part that was not read.
 * Whether a pair crosses the beginning of the tail cannot be seen in the tail.
 *
 * With `from = tail.length - result.length`, these have the same result on the tail as on the whole session:
 * `newestMessages` (a group that does not fit would not fit either if it began before the tail), `lastGroup` and
 * `lastExchange`. If it is false, read more and ask again. A tail that is the whole session needs no check.
 */
export function tailIsClosed(tail: readonly Message[], from: number): boolean {
  return from > 0 && (from === tail.length || closedStarts(tail).includes(from));
}

/**
 * The earliest position at which the tail is closed; its length if there is no earlier one. From there on the tail can be
 * treated as a whole session, by `keepRoles` too: `keepRoles(tail.slice(closedFrom(tail)), roles)` is the end of what
 * `keepRoles` returns for the whole session.
 */
export function closedFrom(tail: readonly Message[]): number {
  return closedStarts(tail)[0] ?? tail.length;
}

function closedStarts(tail: readonly Message[]): readonly number[] {
  const { pairs, lastOrphan } = pairMessages(tail);
  // Never 0: the message before the tail may be a reasoning item that belongs to the tail's first message.
  const uncertain = Math.max(0, lastOrphan);
  return cutsBetween(tail.length, pairs).filter((start) => start > uncertain);
}
