import { type Fields, isRecord } from "../json/record.js";
import type { MessageInput } from "./message-input.js";

/**
 * The message and the provider objects that it wraps, the outermost first: an OpenAI item at `item`, an entry at `entry`,
 * and the message at the `message` or `content` of an entry. Any of them may carry text and tool calls.
 */
export function messageLayers(message: MessageInput): readonly Fields[] {
  if (!isRecord(message)) return [];
  const { item, entry } = message;
  if (item === undefined && entry === undefined) return [message];
  const wrapped = isRecord(entry) ? [entry.message, entry.content] : [];
  return [message, item, entry, ...wrapped].filter(isRecord);
}
