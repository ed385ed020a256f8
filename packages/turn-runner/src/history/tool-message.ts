import type { Json, JsonObject, MessageInput } from "@sessions/protocol";
import type { ToolResult } from "../agent/agent-event.js";
import { type Fields, isFields } from "../arguments/fields.js";

const NO_RESULT = "The turn ended before this tool answered.";

/** The result of a tool as a message, in the shape of the AI SDK's ModelMessage. */
export function toolMessage({
  toolCallId,
  toolName,
  output,
  isError,
}: Omit<ToolResult, "type">): MessageInput {
  const stored = storedOutput(output, isError === true);
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: stored }] };
}

/** An error result for a call whose tool never answered: providers refuse a history without one. */
export function missingResult(toolCallId: string, toolName: string): MessageInput {
  return toolMessage({ toolCallId, toolName, output: NO_RESULT, isError: true });
}

/** The `output` of a stored tool result. */
export function storedOutput(output: Json, isError: boolean): JsonObject {
  const kind = typeof output === "string" ? "text" : "json";
  return { type: isError ? `error-${kind}` : kind, value: output };
}

/** What a tool returned, from the `output` of a stored tool result. */
export function outputIn(stored: Json | undefined): Pick<ToolResult, "output" | "isError"> {
  if (!isObject(stored) || typeof stored["type"] !== "string") return { output: stored ?? null };
  const isError = stored["type"].startsWith("error-") ? { isError: true } : {};
  return { output: stored["value"] ?? null, ...isError };
}

/** The name of the tool that a message calls under this id, in any shape of message. */
export function toolNameIn(message: MessageInput, callId: string): string {
  for (const call of possibleCalls(message)) {
    if (![call["toolCallId"], call["id"], call["call_id"], call["callId"]].includes(callId)) continue;
    const named = isFields(call["function"]) ? call["function"] : call;
    const name = named["toolName"] ?? named["name"];
    if (typeof name === "string") return name;
  }
  return "unknown";
}

/** Every object of a message that may be a call: AI SDK and Anthropic parts, UI parts, OpenAI calls and items. */
function possibleCalls(message: unknown): readonly Fields[] {
  if (!isFields(message)) return [];
  const sources = [message["content"], message["parts"], message["tool_calls"], message["item"], message];
  return sources
    .flatMap((source): readonly unknown[] => (Array.isArray(source) ? source : [source]))
    .filter(isFields);
}

function isObject(value: Json | undefined): value is JsonObject {
  return isFields(value);
}
