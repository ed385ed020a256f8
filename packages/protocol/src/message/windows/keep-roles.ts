import type { Pair } from "../links/link-matcher.js";
import { pairMessages } from "../links/pair-messages.js";
import type { Message } from "../message.js";

/**
 * Only the messages with these roles, and never half of a pair: a message tied to one that is left out is
 * left out too, and so on. An OpenAI reasoning item stays only with the item after it.
 */
export function keepRoles(messages: readonly Message[], roles: readonly string[]): Message[] {
  const { pairs, loneReasoning } = pairMessages(messages);
  const left = new Set<number>(loneReasoning);
  for (const [index, message] of messages.entries()) {
    if (!roles.includes(message.role)) left.add(index);
  }
  spread(left, neighboursOf(pairs));
  return messages.filter((_message, index) => !left.has(index));
}

// A set that grows while it is walked is walked to its end.
function spread(reached: Set<number>, neighbours: ReadonlyMap<number, readonly number[]>): void {
  for (const index of reached) {
    for (const neighbour of neighbours.get(index) ?? []) reached.add(neighbour);
  }
}

function neighboursOf(pairs: readonly Pair[]): ReadonlyMap<number, readonly number[]> {
  const neighbours = new Map<number, number[]>();
  const tie = (one: number, other: number): void => {
    const known = neighbours.get(one);
    if (known === undefined) neighbours.set(one, [other]);
    else known.push(other);
  };
  for (const [first, last] of pairs) {
    tie(first, last);
    tie(last, first);
  }
  return neighbours;
}
