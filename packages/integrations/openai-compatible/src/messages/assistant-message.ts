import { textOf } from "@sessions/protocol";
import { type Fields, fieldsAt, objectsAt, stringAt } from "@sessions/turn-runner";
import { optionalField } from "../optional-field.js";
import type { Settings } from "../settings.js";
import { argumentsText, parseArguments } from "../tools/call-arguments.js";
import type { AssistantChatMessage, ChatToolCall, Sendable } from "./chat-message.js";

/** An assistant message for the endpoint; none if it is empty. */
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
      ...optionalField("tool_calls", calls.length > 0 ? calls : undefined),
      ...reasoningOf(message, parts, reasoningField),
    },
  ];
}

/** The texts of an answer's parts, joined without a separator, as they were streamed. */
function joined(parts: readonly Fields[], type: string): string {
  return parts.map((part) => (part["type"] === type ? (stringAt(part, "text") ?? "") : "")).join("");
}

function reasoningOf(
  message: Fields,
  parts: readonly Fields[],
  name: Settings["sendReasoningAs"],
): Partial<AssistantChatMessage> {
  if (name === undefined) return {};
  return optionalField(name, joined(parts, "reasoning") || stringAt(message, name));
}

/** A call that another provider ran itself is not sent. */
function partCall(part: Fields): readonly ChatToolCall[] {
  if (part["type"] !== "tool-call" || part["providerExecuted"] === true) return [];
  return callOf(part["toolCallId"], part["toolName"], argumentsText(part["input"] ?? part["args"] ?? {}));
}

function chatCall(call: Fields): readonly ChatToolCall[] {
  const called = fieldsAt(call, "function");
  const { input } = parseArguments(stringAt(called, "arguments") ?? "");
  return callOf(call["id"], called["name"], argumentsText(input));
}

/** A call without an id or a name can be neither sent nor answered. */
function callOf(id: unknown, name: unknown, args: string): readonly ChatToolCall[] {
  if (typeof id !== "string" || typeof name !== "string" || id === "" || name === "") return [];
  // Models invent names, and one that is not allowed would make the endpoint refuse the whole history.
  const sendable = name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
  return [{ id, type: "function", function: { name: sendable, arguments: args } }];
}
