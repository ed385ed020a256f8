import { textOf } from "@sessions/protocol";
import { argumentsText, parseArguments } from "./call-arguments.js";
import type { AssistantChatMessage, ChatToolCall, Sendable } from "./chat-message.js";
import { type Fields, field, fieldsAt, objectsAt, stringAt } from "./json-fields.js";
import type { Settings } from "./settings.js";

/** What the model said, unless that is nothing. */
export function assistantMessage(
  message: Sendable,
  reasoningField: Settings["sendReasoningAs"],
): readonly AssistantChatMessage[] {
  const parts = objectsAt(message, "content");
  const calls = [...parts.flatMap(partCall), ...objectsAt(message, "tool_calls").flatMap(chatCall)];
  const text = joined(parts, "text") || textOf(message);
  if (text === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...field("tool_calls", calls.length > 0 ? calls : undefined),
      ...reasoningOf(message, parts, reasoningField),
    },
  ];
}

/** Parts of one answer as they were streamed: with nothing between them. */
function joined(parts: readonly Fields[], type: string): string {
  return parts.map((part) => (part["type"] === type ? (stringAt(part, "text") ?? "") : "")).join("");
}

function reasoningOf(
  message: Fields,
  parts: readonly Fields[],
  name: Settings["sendReasoningAs"],
): Partial<AssistantChatMessage> {
  if (name === undefined) return {};
  return field(name, joined(parts, "reasoning") || stringAt(message, name));
}

/** A call that its provider ran by itself is no call to this one. */
function partCall(part: Fields): readonly ChatToolCall[] {
  if (part["type"] !== "tool-call" || part["providerExecuted"] === true) return [];
  return callOf(part["toolCallId"], part["toolName"], argumentsText(part["input"] ?? part["args"] ?? {}));
}

function chatCall(call: Fields): readonly ChatToolCall[] {
  const called = fieldsAt(call, "function");
  const { input } = parseArguments(stringAt(called, "arguments") ?? "");
  return callOf(call["id"], called["name"], argumentsText(input));
}

/** Without an id or a name it cannot be sent, nor answered. */
function callOf(id: unknown, name: unknown, args: string): readonly ChatToolCall[] {
  if (typeof id !== "string" || typeof name !== "string" || id === "" || name === "") return [];
  // Models invent names, and a name that no tool can have would have the whole history refused.
  const sendable = name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
  return [{ id, type: "function", function: { name: sendable, arguments: args } }];
}
