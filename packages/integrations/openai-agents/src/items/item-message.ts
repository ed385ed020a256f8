import type { AgentInputItem } from "@openai/agents";
import type { JsonObject, Message } from "@sessions/protocol";
import { isFields } from "@sessions/turn-runner";
import { decodeBytes, encodeBytes, type Path } from "./binary-fields.js";
import { itemsOfOtherMessage } from "./other-message.js";

/** An item as it is stored: whole, under `item`, so that none of its fields is taken for a field of the message. */
export interface ItemMessage {
  readonly role: string;
  readonly item: unknown;
  /** Where the item has bytes, stored as base64. */
  readonly binary?: readonly Path[];
  readonly metadata?: JsonObject;
}

export function messageOf(item: AgentInputItem, metadata?: JsonObject): ItemMessage {
  const { value, binary } = encodeBytes(item);
  return {
    role: roleOf(item),
    item: value,
    ...(binary.length === 0 ? {} : { binary }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The items of a message: the stored one, or those that say the same as a message that the SDK did not write. */
export function itemsOf(message: Message): AgentInputItem[] {
  const { item, binary } = message;
  if (!isItem(item)) return itemsOfOtherMessage(message);
  const restored = decodeBytes(item, pathsIn(binary));
  return isItem(restored) ? [restored] : [];
}

/** Whether a value has the shape of an item. Providers have kinds of their own, so the type itself is not checked. */
export function isItem(value: unknown): value is AgentInputItem {
  return isFields(value) && (typeof value["type"] === "string" || typeof value["role"] === "string");
}

/** A message has its role; any other item comes from the model or from a tool. */
function roleOf(item: AgentInputItem): string {
  if ("role" in item && typeof item.role === "string") return item.role;
  const type = "type" in item && typeof item.type === "string" ? item.type : "";
  return type.endsWith("_result") || type.endsWith("_output") ? "tool" : "assistant";
}

function pathsIn(binary: unknown): readonly Path[] {
  return Array.isArray(binary) ? binary.filter((path): path is Path => Array.isArray(path)) : [];
}
