import type { ChatMessage } from "../messages/chat-message.js";

/**
 * Unique ids for tool calls. Some endpoints send none, others begin at `call_0` in each answer; a history with two calls of one id
 * is ambiguous.
 */
export class CallIds {
  readonly #taken: Set<string>;

  constructor(messages: readonly ChatMessage[]) {
    const calls = messages.flatMap((message) =>
      message.role === "assistant" ? (message.tool_calls ?? []) : [],
    );
    this.#taken = new Set(calls.map(({ id }) => id));
  }

  /** The model's id, or a new one if that is missing or taken. */
  take(id: string | undefined): string {
    const free =
      id === undefined || this.#taken.has(id) ? `call_${crypto.randomUUID().replaceAll("-", "")}` : id;
    this.#taken.add(free);
    return free;
  }
}
