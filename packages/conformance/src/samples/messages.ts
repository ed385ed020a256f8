import type { Message, MessageInput } from "@sessions/protocol";

type Sample = MessageInput & { readonly [field: string]: unknown };
type Fields = Readonly<Record<string, unknown>>;

export function user(content: string, fields: Fields = {}): Sample {
  return { role: "user", content, ...fields };
}

export function assistant(content: string, fields: Fields = {}): Sample {
  return { role: "assistant", content, ...fields };
}

/** An assistant message that calls tools, in the AI SDK's shape. */
export function toolCalls(...toolCallIds: readonly string[]): Sample {
  return {
    role: "assistant",
    content: toolCallIds.map((toolCallId) => ({
      type: "tool-call",
      toolCallId,
      toolName: "look",
      input: {},
    })),
  };
}

/** What a tool answered, in the AI SDK's shape. */
export function toolResult(toolCallId: string): Sample {
  const output = { type: "text", value: `seen ${toolCallId}` };
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName: "look", output }] };
}

/** `count` user messages with ids `m1`, `m2`… and texts `1`, `2`… */
export function numbered(count: number, from = 1): Sample[] {
  return Array.from({ length: count }, (_, index) => user(`${from + index}`, { id: `m${from + index}` }));
}

export function idsOf(messages: readonly Pick<Message, "id">[]): string[] {
  return messages.map((message) => message.id);
}

export function contentsOf(messages: readonly Message[]): unknown[] {
  return messages.map((message) => message.content);
}
