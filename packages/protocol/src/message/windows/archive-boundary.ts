import { type Pairing, pairMessages } from "../links/pair-messages.js";
import type { Message } from "../message.js";
import { type CountTokens, estimateTokens } from "../text/token-counter.js";
import { cutsBetween } from "./message-groups.js";

/** How much must stay live. */
export interface ArchiveBounds {
  /** At least this many of the newest messages. @default 0 */
  readonly keepRecent?: number | undefined;
  /** The newest messages with at least this many tokens together. @default 0 */
  readonly keepTokens?: number | undefined;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
  /** A turn is writing: a call or approval without an answer must stay live until the answer is appended. */
  readonly turnRunning: boolean;
}

/**
 * The number of oldest live messages that may be archived.
 *
 * It keeps more messages than asked rather than split a group. It never reaches a message that is still `partial` nor, while
 * a turn runs, one with an unanswered call or approval. Needs all live messages, not only the newest.
 */
export function archiveBoundary(messages: readonly Message[], bounds: ArchiveBounds): number {
  const pairing = pairMessages(messages);
  const last = Math.min(
    messages.length - (bounds.keepRecent ?? 0),
    startOfNewestTokens(messages, bounds),
    firstPartial(messages),
    bounds.turnRunning ? firstWaiting(messages, pairing) : messages.length,
  );
  const cuts = [...cutsBetween(messages.length, pairing.pairs), messages.length];
  return cuts.findLast((cut) => cut <= last) ?? 0;
}

function startOfNewestTokens(messages: readonly Message[], bounds: ArchiveBounds): number {
  const { keepTokens = 0, countTokens = estimateTokens } = bounds;
  let tokens = 0;
  // Written with `>=`, so that a count of NaN keeps everything.
  const start = messages.findLastIndex((message) => {
    if (tokens >= keepTokens) return true;
    tokens += countTokens(message);
    return false;
  });
  return start + 1;
}

function firstWaiting(messages: readonly Message[], pairing: Pairing): number {
  const { openCalls, openApprovals, loneReasoning } = pairing;
  const waiting = [...openCalls, ...openApprovals].map((start) => start.index);
  // A reasoning item at the very end: the item that it belongs to is still missing.
  const tail = loneReasoning.filter((index) => index === messages.length - 1);
  return [...waiting, ...tail].reduce((first, index) => Math.min(first, index), messages.length);
}

function firstPartial(messages: readonly Message[]): number {
  const index = messages.findIndex((message) => message.status === "partial");
  return index === -1 ? messages.length : index;
}
