import type { Pair } from "../links/link-matcher.js";
import { pairMessages } from "../links/pair-messages.js";
import type { Message } from "../message.js";

/**
 * Splits messages into runs that must stay together, in order. Every message is in exactly one run.
 *
 * A run reaches from a tool call to its last result, with everything between them. Overlapping runs are one. An approval
 * request stays with its decision, an OpenAI reasoning item with the item after it. A call without a result and a result
 * without a call are not linked to anything.
 */
export function groupMessages(messages: readonly Message[]): readonly (readonly Message[])[] {
  const starts = groupStarts(messages);
  return starts.map((start, order) => messages.slice(start, starts[order + 1]));
}

/** The positions at which the runs of {@link groupMessages} begin. Only there may a list be cut. */
export function groupStarts(messages: readonly Message[]): readonly number[] {
  return cutsBetween(messages.length, pairMessages(messages).pairs);
}

/** The positions from 0 to `length` - 1 at which a cut separates no pair. */
export function cutsBetween(length: number, pairs: readonly Pair[]): readonly number[] {
  const reach = reachOf(pairs);
  const starts: number[] = [];
  let end = -1;
  for (let index = 0; index < length; index++) {
    if (index > end) starts.push(index);
    end = Math.max(end, reach.get(index) ?? index);
  }
  return starts;
}

function reachOf(pairs: readonly Pair[]): ReadonlyMap<number, number> {
  const reach = new Map<number, number>();
  for (const [first, last] of pairs) reach.set(first, Math.max(last, reach.get(first) ?? last));
  return reach;
}
