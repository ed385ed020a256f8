import type { AgentInputItem } from "@openai/agents";
import {
  type Message,
  type OperationInput,
  resultsAfterCalls,
  splice,
  toolLinksOf,
} from "@sessions/protocol";
import { itemsOf, messageOf } from "../items/item-message.js";

/** Takes the last item away, as they are read; `undefined` if there is none. What stands behind its message holds no items. */
export function withoutLastItem(
  messages: readonly Message[],
): readonly [readonly OperationInput[], AgentInputItem | undefined] {
  const read = resultsAfterCalls(messages);
  const last = read.findLastIndex((message) => itemsOf(message).length > 0);
  const message = read[last];
  if (message === undefined) return [[], undefined];
  const items = itemsOf(message);
  // Where the order of reading is not that of the store, it becomes it.
  const moved = read.findIndex((one, index) => one !== messages[index] || index === last);
  const kept = [...read.slice(moved, last), ...items.slice(0, -1).map((item) => messageOf(item))];
  return [[splice({ before: messages[moved]?.id ?? message.id }, kept)], items.at(-1)];
}

/** Whether the last messages of a session have a result without its call: others may belong behind it. */
export function cutsPair(messages: readonly Message[]): boolean {
  const calls = new Set<string>();
  return messages.some((message) => {
    const links = toolLinksOf(message);
    for (const id of links.calls) calls.add(id);
    return links.results.some((id) => !calls.has(id));
  });
}
