import { readMessageLinks } from "../links/read-message-links.js";
import type { Message } from "../message.js";
import { groupStarts } from "./message-groups.js";

/**
 * The messages from the last one of the user on, extended to whole groups; all of them if the user said
 * nothing. A `user` message that answers a tool call, as Anthropic's do, is not the user speaking.
 *
 * Given only the newest part of a session, check `tailIsClosed(tail, tail.length - exchange.length)`: where
 * it is false, the exchange may begin before the tail.
 */
export function lastExchange(messages: readonly Message[]): readonly Message[] {
  const asked = messages.findLastIndex(isFromUser);
  return messages.slice(groupStarts(messages).findLast((start) => start <= asked) ?? 0);
}

function isFromUser(message: Message): boolean {
  return message.role === "user" && readMessageLinks(message).results.length === 0;
}
