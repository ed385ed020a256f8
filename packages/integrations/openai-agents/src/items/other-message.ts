import type { AgentInputItem } from "@openai/agents";
import { type ContentPart, type Message, textOf } from "@sessions/protocol";
import { type Fields, fieldsAt, isFields, objectsAt, stringAt } from "@sessions/turn-runner";
import { answerItem, callItem, resultItem } from "./new-item.js";
import { itemsOfParts } from "./ui-message-items.js";

/**
 * The items that say the same as a message that the Agents SDK did not write: a chat message, a ModelMessage or a UIMessage of the AI
 * SDK, with its calls and results. Reasoning is left out: a provider refuses reasoning of another model.
 */
export function itemsOfOtherMessage(message: Message): AgentInputItem[] {
  switch (message.role) {
    case "user":
      return [{ type: "message", role: "user", content: userContent(message) }];
    case "assistant":
      return isUIMessage(message)
        ? itemsOfParts(objectsAt(message, "parts"), message.status)
        : [...answerItem(textOf(message), message.status), ...calls(message)];
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
  if (part.type === "text") return [{ type: "input_text", text: stringAt(part, "text") ?? "" }];
  const data = isAttachment(part) ? dataIn(part) : undefined;
  if (data === undefined) return [];
  const mediaType = stringAt(part, "mediaType") ?? "image/png";
  const source = /^(data|https?):/.test(data) ? data : `data:${mediaType};base64,${data}`;
  if (part.type !== "file" || stringAt(part, "mediaType")?.startsWith("image/") === true)
    return [{ type: "input_image", image: source }];
  const filename = stringAt(part, "filename") ?? stringAt(fieldsAt(part, "file"), "filename");
  return [{ type: "input_file", file: source, ...(filename === undefined ? {} : { filename }) }];
}

/** The data or the address of an image or a file, in a part of the AI SDK or of a chat message. */
function dataIn(part: ContentPart): string | undefined {
  if (part.type === "image_url") return stringAt(fieldsAt(part, "image_url"), "url");
  const key = part.type === "image" ? "image" : "data";
  return stringAt(part, key, "url") ?? stringAt(fieldsAt(part, "file"), "file_data");
}

function calls(message: Message): AgentInputItem[] {
  const inParts = partsOf(message)
    .filter((part) => part.type === "tool-call" && part["providerExecuted"] !== true)
    .map((part) => callItem(callOf(part), part["input"]));
  const inFields = objectsAt(message, "tool_calls").map((call) => {
    const called = fieldsAt(call, "function");
    const callId = stringAt(call, "id") ?? "";
    return callItem({ callId, name: stringAt(called, "name") ?? "" }, called["arguments"]);
  });
  return [...inParts, ...inFields];
}

function results(message: Message): AgentInputItem[] {
  const callId = stringAt(message, "tool_call_id");
  if (callId !== undefined)
    return [resultItem({ callId, name: stringAt(message, "name") ?? "" }, textOf(message))];
  return partsOf(message)
    .filter((part) => part.type === "tool-result")
    .map((part) => resultItem(callOf(part), outputText(part)));
}

function callOf(part: ContentPart): { readonly callId: string; readonly name: string } {
  return { callId: stringAt(part, "toolCallId") ?? "", name: stringAt(part, "toolName") ?? "" };
}

function outputText({ output }: ContentPart): string {
  const value: unknown = isFields(output) && "value" in output ? output["value"] : output;
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Whether the body of a message is in `parts`, as in a UIMessage of the AI SDK. */
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
