import type { Message } from "../message.js";
import { groupStarts } from "./message-groups.js";

/**
 * The last message with everything that must stay with it. Empty if there are no messages.
 *
 * On the newest part of a session, check `tailIsClosed(tail, tail.length - group.length)`: if it is false, the group may begin
 * before the tail.
 */
export function lastGroup(messages: readonly Message[]): readonly Message[] {
  return messages.slice(groupStarts(messages).at(-1) ?? 0);
}
