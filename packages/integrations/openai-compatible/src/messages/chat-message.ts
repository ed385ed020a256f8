import type { JsonObject, Message } from "@sessions/protocol";

/** A message to send: stored, or about to be stored. */
export type Sendable = Pick<Message, "role" | "content"> & { readonly [field: string]: unknown };

/** A tool call in a chat message. */
export interface ChatToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message of the model. If `content` is null it has calls. */
export interface AssistantChatMessage {
  readonly role: "assistant";
  readonly content: string | null;
  readonly tool_calls?: readonly ChatToolCall[];
  readonly reasoning_content?: string;
  readonly reasoning?: string;
}

/** The result of a tool. */
export interface ToolChatMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

/** A message as `/chat/completions` takes it. */
export type ChatMessage =
  | { readonly role: "system" | "developer"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly JsonObject[]; readonly name?: string }
  | AssistantChatMessage
  | ToolChatMessage;
