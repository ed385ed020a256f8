import { type Fields, isRecord } from "../json/record.js";
import type { MessageInput } from "./message-input.js";

/**
 * The objects in which a message's shape may lie, the outermost first: the message itself, an OpenAI item
 * stored whole under `item`, an entry under `entry`, and the message that an entry wraps in its `message` or
 * `content`.
 */
export function unwrapMessage(message: MessageInput): readonly Fields[] {
  if (!isRecord(message)) return [];
  const { item, entry } = message;
  if (item === undefined && entry === undefined) return [message];
  const wrapped = isRecord(entry) ? [entry.message, entry.content] : [];
  return [message, item, entry, ...wrapped].filter(isRecord);
}
