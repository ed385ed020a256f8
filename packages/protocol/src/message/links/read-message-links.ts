import { type Fields, isRecord } from "../../json/record.js";
import type { MessageInput } from "../message-input.js";
import { isBoundedArray, objectsAt } from "../read-fields.js";
import { unwrapMessage } from "../unwrap-message.js";
import { type LinkCollector, type MessageLinks, noLinksYet } from "./message-links.js";
import { readAnthropicBlock } from "./read-anthropic-block.js";
import { readChatMessage } from "./read-chat-message.js";
import { readModelPart } from "./read-model-part.js";
import { readResponseItem } from "./read-response-item.js";
import { readUiPart } from "./read-ui-part.js";

/**
 * What a message without links has: one object for all of them, so that a plain message costs a few look-ups.
 */
export const NO_LINKS: MessageLinks = noLinksYet();

// Every field under which a shape with links announces itself, `content` aside.
const LINKING_FIELDS: readonly string[] = [
  "parts",
  "item",
  "entry",
  "type",
  "tool_calls",
  "tool_call_id",
  "function_call",
];

/** Everything in a message that ties it to another, in every known shape. */
export function readMessageLinks(message: MessageInput): MessageLinks {
  if (isRecord(message) && !mayLink(message)) return NO_LINKS;
  const links = noLinksYet();
  for (const body of unwrapMessage(message)) readBody(body, links);
  return links;
}

// Most messages are text, and every message of a window is asked.
function mayLink(message: Fields): boolean {
  if (isBoundedArray(message.content) && !message.content.every(isText)) return true;
  return message.role === "function" || LINKING_FIELDS.some((field) => message[field] !== undefined);
}

function isText(part: unknown): boolean {
  return isRecord(part) && part.type === "text";
}

function readBody(body: Fields, links: LinkCollector): void {
  for (const part of objectsAt(body, "content")) {
    readModelPart(part, links);
    readAnthropicBlock(part, links);
  }
  for (const part of objectsAt(body, "parts")) readUiPart(part, links);
  readChatMessage(body, links);
  readResponseItem(body, links);
}
