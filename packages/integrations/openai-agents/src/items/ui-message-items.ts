import type { AgentInputItem } from "@openai/agents";
import type { Message } from "@sessions/protocol";
import { type Fields, isFields, stringAt } from "../fields.js";
import { callItem, resultItem, spokenItem } from "./new-item.js";

const DENIED = "The user has denied this call.";

/** The parts of an answer of the AI SDK's `useChat`, in their order: text, and calls, each with its result if it has one. */
export function itemsOfParts(parts: readonly Fields[], status: Message["status"]): AgentInputItem[] {
  return parts.flatMap((part) =>
    part["type"] === "text" ? spokenItem(stringAt(part, "text"), status) : toolItems(part),
  );
}

/** A part whose input is still streamed is no call yet, and what a provider ran by itself is no call of ours. */
function toolItems(part: Fields): AgentInputItem[] {
  const callId = stringAt(part, "toolCallId");
  if (callId === "" || part["providerExecuted"] === true || part["state"] === "input-streaming") return [];
  const type = stringAt(part, "type");
  const name = type === "dynamic-tool" ? stringAt(part, "toolName") : type.replace(/^tool-/, "");
  const result = resultIn(part);
  const call = callItem(callId, name, part["input"] ?? part["rawInput"]);
  return result === undefined ? [call] : [call, resultItem(callId, name, result)];
}

function resultIn(part: Fields): string | undefined {
  const { state, output } = part;
  if (state === "output-available")
    return typeof output === "string" ? output : JSON.stringify(output ?? null);
  if (state === "output-error") return stringAt(part, "errorText");
  if (state !== "output-denied") return undefined;
  const { approval } = part;
  return (isFields(approval) ? stringAt(approval, "reason") : "") || DENIED;
}
