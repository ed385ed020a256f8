import type { Json, JsonObject, MessageInput } from "@sessions/protocol";
import type { ToolResult } from "../agent-event.js";
import { isRecord } from "../argument.js";

/** What a call is told whose tool never answered. */
const NO_ANSWER = "The turn ended before this tool answered.";

/** A tool's answer as a message, in the shape of the AI SDK's ModelMessage. */
export function toolMessage(result: Omit<ToolResult, "type">): MessageInput {
  const { toolCallId, toolName, output, isError = false } = result;
  const kind = typeof output === "string" ? "text" : "json";
  const told = { type: isError ? `error-${kind}` : kind, value: output };
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: told }] };
}

/** The answer to a call that nobody answered: a provider refuses a history without one. */
export function missingAnswer(toolCallId: string, toolName: string): MessageInput {
  return toolMessage({ toolCallId, toolName, output: NO_ANSWER, isError: true });
}

/** The name of the tool that a message calls under this id, in whichever shape the message has. */
export function toolNameIn(message: MessageInput, callId: string): string {
  for (const call of placesOfCalls(message)) {
    if (![call["toolCallId"], call["id"], call["call_id"], call["callId"]].includes(callId)) continue;
    const named = isRecord(call["function"]) ? call["function"] : call;
    const name = named["toolName"] ?? named["name"];
    if (typeof name === "string") return name;
  }
  return "unknown";
}

function placesOfCalls(message: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!isRecord(message)) return [];
  const places = [message["content"], message["parts"], message["tool_calls"], message["item"], message];
  return places
    .flatMap((place): readonly unknown[] => (Array.isArray(place) ? place : [place]))
    .filter(isRecord);
}

/** What a tool told, from the `output` of a stored tool result. */
export function outputIn(stored: Json | undefined): Pick<ToolResult, "output" | "isError"> {
  if (!isObject(stored) || typeof stored["type"] !== "string") return { output: stored ?? null };
  const isError = stored["type"].startsWith("error-") ? { isError: true } : {};
  return { output: stored["value"] ?? null, ...isError };
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
