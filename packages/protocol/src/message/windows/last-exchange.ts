import { readMessageLinks } from "../links/read-message-links.js";
import type { Message } from "../message.js";
import { groupStarts } from "./message-groups.js";

/**
 * The messages from the last one of the user on, extended to whole groups; all of them if there is none of the user. A `user`
 * message that answers a tool call, as Anthropic writes them, does not count as the user's.
 *
 * On the newest part of a session, check `tailIsClosed(tail, tail.length - exchange.length)`: if it is false, the exchange
 * may begin before the tail.
 */
export function lastExchange(messages: readonly Message[]): readonly Message[] {
  const asked = messages.findLastIndex(isFromUser);
  return messages.slice(groupStarts(messages).findLast((start) => start <= asked) ?? 0);
}

function isFromUser(message: Message): boolean {
  return message.role === "user" && readMessageLinks(message).results.length === 0;
}
