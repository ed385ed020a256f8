import type { AgentInputItem } from "@openai/agents";
import type { JsonObject, Message } from "@sessions/protocol";
import { isFields } from "../fields.js";
import { type Path, restoreBytes, tellBytes } from "./binary-fields.js";
import { itemsOfOtherMessage } from "./other-message.js";

/** An item as the store keeps it: whole, under `item`, so that none of its fields can be taken for a message's. */
export interface ItemMessage {
  readonly role: string;
  readonly item: unknown;
  /** Where in the item bytes are told as base64. */
  readonly binary?: readonly Path[];
  readonly metadata?: JsonObject;
}

export function messageOf(item: AgentInputItem, metadata?: JsonObject): ItemMessage {
  const { value, binary } = tellBytes(item);
  return {
    role: roleOf(item),
    item: value,
    ...(binary.length === 0 ? {} : { binary }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The items of a message: the one that it keeps, or those that say the same as a message of another making. */
export function itemsOf(message: Message): AgentInputItem[] {
  const { item, binary } = message;
  if (!isItem(item)) return itemsOfOtherMessage(message);
  const restored = restoreBytes(item, pathsIn(binary));
  return isItem(restored) ? [restored] : [];
}

/** Whether a value looks like an item. Only a provider knows all kinds of them. */
export function isItem(value: unknown): value is AgentInputItem {
  return isFields(value) && (typeof value["type"] === "string" || typeof value["role"] === "string");
}

/** Who speaks: a message says so, all else comes from the model or from a tool. */
function roleOf(item: AgentInputItem): string {
  if ("role" in item && typeof item.role === "string") return item.role;
  const type = "type" in item && typeof item.type === "string" ? item.type : "";
  return type.endsWith("_result") || type.endsWith("_output") ? "tool" : "assistant";
}

function pathsIn(binary: unknown): readonly Path[] {
  return Array.isArray(binary) ? binary.filter((path): path is Path => Array.isArray(path)) : [];
}
