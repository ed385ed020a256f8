import type { AgentInputItem } from "@openai/agents";
import { type ContentPart, type Message, textOf } from "@sessions/protocol";
import { type Fields, isFields, objectsAt, stringAt } from "./fields.js";

/**
 * A message that no Agents SDK wrote, as items that say the same: chat messages and the AI SDK's ModelMessages, with their
 * calls and results. Reasoning of other models is not told: a provider refuses what it has not thought itself.
 */
export function itemsOfOtherMessage(message: Message): AgentInputItem[] {
  switch (message.role) {
    case "user":
      return [{ type: "message", role: "user", content: userContent(message) }];
    case "assistant":
      return [...spoken(message), ...calls(message)];
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
  if (!parts.some((part) => part.type === "image" || part.type === "file")) return textOf(message);
  return parts.flatMap(userPart);
}

function userPart(part: ContentPart): UserPart[] {
  if (part.type === "text") return [{ type: "input_text", text: stringAt(part, "text") }];
  const mediaType = stringAt(part, "mediaType");
  const isImage = part.type === "image" || (part.type === "file" && mediaType.startsWith("image/"));
  const data = stringAt(part, part.type === "image" ? "image" : "data") || stringAt(part, "url");
  if (data === "" || (part.type !== "image" && part.type !== "file")) return [];
  const source = /^(data|https?):/.test(data) ? data : `data:${mediaType || "image/png"};base64,${data}`;
  if (isImage) return [{ type: "input_image", image: source }];
  const filename = stringAt(part, "filename");
  return [{ type: "input_file", file: source, ...(filename === "" ? {} : { filename }) }];
}

function spoken(message: Message): AgentInputItem[] {
  const text = textOf(message);
  if (text === "") return [];
  const status = message.status === undefined ? "completed" : "incomplete";
  return [{ type: "message", role: "assistant", status, content: [{ type: "output_text", text }] }];
}

function calls(message: Message): AgentInputItem[] {
  const inParts = partsOf(message)
    .filter((part) => part.type === "tool-call" && part["providerExecuted"] !== true)
    .map((part) => call(stringAt(part, "toolCallId"), stringAt(part, "toolName"), part["input"]));
  const inFields = objectsAt(message, "tool_calls").map((one) => {
    const called: Fields = isFields(one["function"]) ? one["function"] : {};
    return call(stringAt(one, "id"), stringAt(called, "name"), called["arguments"]);
  });
  return [...inParts, ...inFields];
}

function call(callId: string, name: string, input: unknown): AgentInputItem {
  const args = typeof input === "string" ? input : JSON.stringify(input ?? {});
  return { type: "function_call", callId, name, arguments: args, status: "completed" };
}

function results(message: Message): AgentInputItem[] {
  const callId = stringAt(message, "tool_call_id");
  if (callId !== "") return [result(callId, stringAt(message, "name"), textOf(message))];
  return partsOf(message)
    .filter((part) => part.type === "tool-result")
    .map((part) => result(stringAt(part, "toolCallId"), stringAt(part, "toolName"), outputText(part)));
}

function result(callId: string, name: string, text: string): AgentInputItem {
  return { type: "function_call_result", callId, name, status: "completed", output: { type: "text", text } };
}

function outputText({ output }: ContentPart): string {
  const value: unknown = isFields(output) && "value" in output ? output["value"] : output;
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function partsOf({ content }: Message): readonly ContentPart[] {
  return typeof content === "string" ? [] : (content ?? []);
}
