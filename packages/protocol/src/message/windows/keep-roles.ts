import type { Pair } from "../links/link-matcher.js";
import { pairMessages } from "../links/pair-messages.js";
import type { Message } from "../message.js";

/**
 * The messages with these roles, and never half of a pair: a message that is linked to an omitted one is omitted too, and so
 * on. An OpenAI reasoning item is kept only together with the item after it.
 */
export function keepRoles(messages: readonly Message[], roles: readonly string[]): Message[] {
  const { pairs, loneReasoning } = pairMessages(messages);
  const omitted = new Set<number>(loneReasoning);
  for (const [index, message] of messages.entries()) {
    if (!roles.includes(message.role)) omitted.add(index);
  }
  addLinked(omitted, neighboursOf(pairs));
  return messages.filter((_message, index) => !omitted.has(index));
}

// The loop also visits the positions that it adds.
function addLinked(positions: Set<number>, neighbours: ReadonlyMap<number, readonly number[]>): void {
  for (const index of positions) {
    for (const neighbour of neighbours.get(index) ?? []) positions.add(neighbour);
  }
}

function neighboursOf(pairs: readonly Pair[]): ReadonlyMap<number, readonly number[]> {
  const neighbours = new Map<number, number[]>();
  const link = (one: number, other: number): void => {
    const linked = neighbours.get(one);
    if (linked === undefined) neighbours.set(one, [other]);
    else linked.push(other);
  };
  for (const [first, last] of pairs) {
    link(first, last);
    link(last, first);
  }
  return neighbours;
}
