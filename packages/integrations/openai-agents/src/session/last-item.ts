import type { AgentInputItem } from "@openai/agents";
import {
  type Message,
  type OperationInput,
  resultsAfterCalls,
  splice,
  toolLinksOf,
} from "@sessions/protocol";
import { itemsOf, messageOf } from "../items/item-message.js";

/** Removes the last item in reading order, and returns it; `undefined` if there is none. The messages behind it have no items. */
export function removeLastItem(
  messages: readonly Message[],
): readonly [readonly OperationInput[], AgentInputItem | undefined] {
  const read = resultsAfterCalls(messages);
  const last = read.findLastIndex((message) => itemsOf(message).length > 0);
  const lastMessage = read[last];
  if (lastMessage === undefined) return [[], undefined];
  const items = itemsOf(lastMessage);
  // From the first message that is read in another place than it is stored, messages are stored in reading order.
  const moved = read.findIndex((message, index) => message !== messages[index] || index === last);
  const kept = [...read.slice(moved, last), ...items.slice(0, -1).map((item) => messageOf(item))];
  return [[splice({ before: messages[moved]?.id ?? lastMessage.id }, kept)], items.at(-1)];
}

/** Whether the last messages of a session have a result without its call: then messages before them are needed for the reading order. */
export function hasResultWithoutCall(messages: readonly Message[]): boolean {
  const calls = new Set<string>();
  return messages.some((message) => {
    const links = toolLinksOf(message);
    for (const id of links.calls) calls.add(id);
    return links.results.some((id) => !calls.has(id));
  });
}
