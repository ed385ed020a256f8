import { append, type MessageInput, type SessionStore } from "@sessions/protocol";

/** The number of turns of each conversation, and of messages of each turn. */
export const TURNS_EACH = 3;
export const MESSAGES_PER_TURN = 4;

/** Runs conversations that all begin at the same time. */
export function converse(store: SessionStore, conversations: number, prefix = "c"): Promise<unknown> {
  return Promise.all(
    Array.from({ length: conversations }, async (_, index) => {
      for (let turn = 0; turn < TURNS_EACH; turn++) await takeTurn(store, `${prefix}${index}`, turn);
    }),
  );
}

/** A turn of 13 KB, like that of an agent: prompt, read of the context, tool call, tool result, answer. */
async function takeTurn(store: SessionStore, id: string, number: number): Promise<void> {
  const toolCallId = `call-${number}`;
  const call = { type: "tool-call", toolCallId, toolName: "search", input: { query: "weather" } };
  const result = { type: "tool-result", toolCallId, toolName: "search", output: text(8000) };
  await store.runTurn(id, { messages: message("user", text(2000)) }, async (turn) => {
    await store.getContext(id, { maxTokens: 8000 });
    await turn.append(message("assistant", [call]));
    await turn.append(message("tool", [result]));
    return append(message("assistant", text(3000)));
  });
}

function message(role: string, content: unknown): MessageInput {
  return { role, content };
}

function text(chars: number): string {
  return "and so on, ".repeat(Math.ceil(chars / 11)).slice(0, chars);
}
