import type { AgentInputItem } from "@openai/agents";
import { type ContentPart, type Message, textOf } from "@sessions/protocol";
import { type Fields, isFields, objectsAt, stringAt } from "../fields.js";
import { callItem, resultItem, spokenItem } from "./new-item.js";
import { itemsOfParts } from "./ui-message-items.js";

/**
 * A message that no Agents SDK wrote, as items that say the same: chat messages, the AI SDK's ModelMessages and UIMessages,
 * with their calls and results. Reasoning of other models is not told: a provider refuses what it has not thought itself.
 */
export function itemsOfOtherMessage(message: Message): AgentInputItem[] {
  switch (message.role) {
    case "user":
      return [{ type: "message", role: "user", content: userContent(message) }];
    case "assistant":
      return isUIMessage(message)
        ? itemsOfParts(objectsAt(message, "parts"), message.status)
        : [...spokenItem(textOf(message), message.status), ...calls(message)];
    case "tool":
      return results(message);
    default:
      return [{ type: "message", role: "system", content: textOf(message) }];
  }
}

type UserItem = Extract<AgentInputItem, { role: "user" }>;
type UserPart = Exclude<UserItem["content"], string>[number];

function userContent(message: Message): UserItem["content"] {
  const parts = partsOf(message);
  return parts.some(isAttachment) ? parts.flatMap(userPart) : textOf(message);
}

function isAttachment({ type }: ContentPart): boolean {
  return type === "image" || type === "image_url" || type === "file";
}

function userPart(part: ContentPart): UserPart[] {
  if (part.type === "text") return [{ type: "input_text", text: stringAt(part, "text") }];
  const data = isAttachment(part) ? dataIn(part) : "";
  if (data === "") return [];
  const mediaType = stringAt(part, "mediaType");
  const source = /^(data|https?):/.test(data) ? data : `data:${mediaType || "image/png"};base64,${data}`;
  if (part.type !== "file" || mediaType.startsWith("image/")) return [{ type: "input_image", image: source }];
  const filename = stringAt(part, "filename") || stringAt(fieldsAt(part, "file"), "filename");
  return [{ type: "input_file", file: source, ...(filename === "" ? {} : { filename }) }];
}

/** Where an image or a file is: in the AI SDK's parts, or in those of chat messages. */
function dataIn(part: ContentPart): string {
  if (part.type === "image_url") return stringAt(fieldsAt(part, "image_url"), "url");
  const data = stringAt(part, part.type === "image" ? "image" : "data") || stringAt(part, "url");
  return data || stringAt(fieldsAt(part, "file"), "file_data");
}

function fieldsAt(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isFields(value) ? value : {};
}

function calls(message: Message): AgentInputItem[] {
  const inParts = partsOf(message)
    .filter((part) => part.type === "tool-call" && part["providerExecuted"] !== true)
    .map((part) => callItem(stringAt(part, "toolCallId"), stringAt(part, "toolName"), part["input"]));
  const inFields = objectsAt(message, "tool_calls").map((one) => {
    const called: Fields = isFields(one["function"]) ? one["function"] : {};
    return callItem(stringAt(one, "id"), stringAt(called, "name"), called["arguments"]);
  });
  return [...inParts, ...inFields];
}

function results(message: Message): AgentInputItem[] {
  const callId = stringAt(message, "tool_call_id");
  if (callId !== "") return [resultItem(callId, stringAt(message, "name"), textOf(message))];
  return partsOf(message)
    .filter((part) => part.type === "tool-result")
    .map((part) => resultItem(stringAt(part, "toolCallId"), stringAt(part, "toolName"), outputText(part)));
}

function outputText({ output }: ContentPart): string {
  const value: unknown = isFields(output) && "value" in output ? output["value"] : output;
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Whether it has its body in `parts`, as the AI SDK's UIMessages have. */
function isUIMessage({ content, parts }: Message): boolean {
  return (content === undefined || content === null) && Array.isArray(parts);
}

function partsOf(message: Message): readonly ContentPart[] {
  const { content } = message;
  if (isUIMessage(message)) return objectsAt(message, "parts").filter(isPart);
  return typeof content === "string" ? [] : (content ?? []);
}

function isPart(part: Fields): part is ContentPart {
  return typeof part["type"] === "string";
}
