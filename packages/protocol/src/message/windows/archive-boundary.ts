import { type Pairing, pairMessages } from "../links/pair-messages.js";
import type { Message } from "../message.js";
import { type CountTokens, estimateTokens } from "../text/token-counter.js";
import { startsBetween } from "./message-groups.js";

/** How much must stay live. */
export interface ArchiveBounds {
  /** At least so many of the newest messages. @default 0 */
  readonly keepRecent?: number | undefined;
  /** At least as many of the newest messages as cost so much. @default 0 */
  readonly keepTokens?: number | undefined;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
  /** Someone is still writing: what waits for an answer must stay where the answer will come. */
  readonly turnRunning: boolean;
}

/**
 * How many of the oldest live messages may be archived.
 *
 * Rather keeps more than splits a group. Never reaches a message that is still `partial` nor, while a turn
 * runs, one with a call or approval that waits for its answer. Needs all live messages, not only the newest.
 */
export function archiveBoundary(messages: readonly Message[], bounds: ArchiveBounds): number {
  const pairing = pairMessages(messages);
  const last = Math.min(
    messages.length - (bounds.keepRecent ?? 0),
    startOfNewestTokens(messages, bounds),
    firstPartial(messages),
    bounds.turnRunning ? firstWaiting(messages, pairing) : messages.length,
  );
  const cuts = [...startsBetween(messages.length, pairing.pairs), messages.length];
  return cuts.findLast((cut) => cut <= last) ?? 0;
}

function startOfNewestTokens(messages: readonly Message[], bounds: ArchiveBounds): number {
  const { keepTokens = 0, countTokens = estimateTokens } = bounds;
  let tokens = 0;
  // Asked this way round, a count that is not a number keeps everything.
  const start = messages.findLastIndex((message) => {
    if (tokens >= keepTokens) return true;
    tokens += countTokens(message);
    return false;
  });
  return start + 1;
}

function firstWaiting(messages: readonly Message[], pairing: Pairing): number {
  const { openCalls, openApprovals, loneReasoning } = pairing;
  const waiting = [...openCalls, ...openApprovals].map((opening) => opening.index);
  // A reasoning item at the very end: the item that it belongs to has yet to come.
  const tail = loneReasoning.filter((index) => index === messages.length - 1);
  return [...waiting, ...tail].reduce((first, index) => Math.min(first, index), messages.length);
}

function firstPartial(messages: readonly Message[]): number {
  const index = messages.findIndex((message) => message.status === "partial");
  return index === -1 ? messages.length : index;
}
