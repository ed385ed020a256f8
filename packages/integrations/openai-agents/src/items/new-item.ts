import type { AgentInputItem } from "@openai/agents";
import type { Message } from "@sessions/protocol";

/** A call of a function, and its name. */
export interface CallName {
  readonly callId: string;
  readonly name: string;
}

/** The text of an assistant as an item; no item if there is no text. */
export function answerItem(text: string, messageStatus: Message["status"]): AgentInputItem[] {
  if (text === "") return [];
  const status = messageStatus === undefined ? "completed" : "incomplete";
  return [{ type: "message", role: "assistant", status, content: [{ type: "output_text", text }] }];
}

export function callItem({ callId, name }: CallName, input: unknown): AgentInputItem {
  const args = typeof input === "string" ? input : JSON.stringify(input ?? {});
  return { type: "function_call", callId, name, arguments: args, status: "completed" };
}

export function resultItem({ callId, name }: CallName, text: string): AgentInputItem {
  return { type: "function_call_result", callId, name, status: "completed", output: { type: "text", text } };
}
