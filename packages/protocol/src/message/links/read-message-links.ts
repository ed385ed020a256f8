import { type Fields, isRecord } from "../../json/record.js";
import type { MessageInput } from "../message-input.js";
import { messageLayers } from "../message-layers.js";
import { isBoundedArray, objectsAt } from "../read-fields.js";
import { type LinkCollector, type MessageLinks, noLinksYet } from "./message-links.js";
import { readAnthropicBlock } from "./read-anthropic-block.js";
import { readChatMessage } from "./read-chat-message.js";
import { readModelPart } from "./read-model-part.js";
import { readResponseItem } from "./read-response-item.js";
import { readUiPart } from "./read-ui-part.js";

/** The links of every message without any: one shared object, so that a plain message costs a few lookups. */
export const NO_LINKS: MessageLinks = noLinksYet();

// Besides `content`, every shape with links has one of these fields.
const LINKING_FIELDS: readonly string[] = [
  "parts",
  "item",
  "entry",
  "type",
  "tool_calls",
  "tool_call_id",
  "function_call",
];

/** Everything that links a message to another one, in every known shape. */
export function readMessageLinks(message: MessageInput): MessageLinks {
  if (isRecord(message) && !mayLink(message)) return NO_LINKS;
  const links = noLinksYet();
  for (const body of messageLayers(message)) readBody(body, links);
  return links;
}

// A fast check: most messages are text, and a window reads the links of all its messages.
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
