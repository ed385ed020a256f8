import type { ChatMessage } from "./chat-message.js";

/**
 * Ids of tool calls. Endpoints that leave them out exist, and others that begin at `call_0` in each answer: a history
 * with two calls of one id cannot be told apart.
 */
export class CallIds {
  readonly #taken: Set<string>;

  constructor(messages: readonly ChatMessage[]) {
    const calls = messages.flatMap((message) =>
      message.role === "assistant" ? (message.tool_calls ?? []) : [],
    );
    this.#taken = new Set(calls.map(({ id }) => id));
  }

  /** The id that the model gave, or a new one where that is missing or taken. */
  take(id: string | undefined): string {
    const free =
      id === undefined || this.#taken.has(id) ? `call_${crypto.randomUUID().replaceAll("-", "")}` : id;
    this.#taken.add(free);
    return free;
  }
}
