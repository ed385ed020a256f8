import type { AgentInputItem } from "@openai/agents";
import type { Message } from "@sessions/protocol";
import { type Fields, fieldsAt, stringAt } from "@sessions/turn-runner";
import { answerItem, callItem, resultItem } from "./new-item.js";

const DENIED = "The user has denied this call.";

/** The parts of an answer of the AI SDK's `useChat` as items, in their order: text, and each call with its result if it has one. */
export function itemsOfParts(parts: readonly Fields[], status: Message["status"]): AgentInputItem[] {
  return parts.flatMap((part) =>
    part["type"] === "text" ? answerItem(stringAt(part, "text") ?? "", status) : toolItems(part),
  );
}

/** A part whose input still streams is not a call yet. A call that the provider ran itself is not one for our tools. */
function toolItems(part: Fields): AgentInputItem[] {
  const callId = stringAt(part, "toolCallId");
  if (callId === undefined || part["providerExecuted"] === true || part["state"] === "input-streaming")
    return [];
  const type = stringAt(part, "type") ?? "";
  const name = type === "dynamic-tool" ? (stringAt(part, "toolName") ?? "") : type.replace(/^tool-/, "");
  const call = { callId, name };
  const result = resultIn(part);
  const item = callItem(call, part["input"] ?? part["rawInput"]);
  return result === undefined ? [item] : [item, resultItem(call, result)];
}

function resultIn(part: Fields): string | undefined {
  const { state, output } = part;
  if (state === "output-available")
    return typeof output === "string" ? output : JSON.stringify(output ?? null);
  if (state === "output-error") return stringAt(part, "errorText") ?? "";
  return state === "output-denied" ? (stringAt(fieldsAt(part, "approval"), "reason") ?? DENIED) : undefined;
}
