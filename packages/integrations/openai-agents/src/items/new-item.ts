import type { AgentInputItem } from "@openai/agents";
import type { Message } from "@sessions/protocol";

/** What an assistant said; nothing where it said nothing. */
export function spokenItem(text: string, said: Message["status"]): AgentInputItem[] {
  if (text === "") return [];
  const status = said === undefined ? "completed" : "incomplete";
  return [{ type: "message", role: "assistant", status, content: [{ type: "output_text", text }] }];
}

export function callItem(callId: string, name: string, input: unknown): AgentInputItem {
  const args = typeof input === "string" ? input : JSON.stringify(input ?? {});
  return { type: "function_call", callId, name, arguments: args, status: "completed" };
}

export function resultItem(callId: string, name: string, text: string): AgentInputItem {
  return { type: "function_call_result", callId, name, status: "completed", output: { type: "text", text } };
}
