import { type RunnerTurn, storedOutput, type ToolResult } from "@sessions/turn-runner";
import type { Settings } from "../settings.js";
import type { RequestedCall } from "../tools/run-calls.js";
import type { ModelAnswer } from "../turn/model-answer.js";
import { answeredCalls } from "./answered-calls.js";
import type { ChatMessage, Sendable } from "./chat-message.js";
import { chatMessages } from "./chat-messages.js";

/** The messages of a request: those of the session, and what this turn adds to them. */
export class Conversation {
  readonly #messages: ChatMessage[] = [];
  readonly #reasoningField: Settings["sendReasoningAs"];

  constructor({ config, messages }: RunnerTurn, reasoningField: Settings["sendReasoningAs"]) {
    this.#reasoningField = reasoningField;
    this.#add({ role: "system", content: config.instructions ?? "" });
    for (const message of messages) this.#add(message);
  }

  get messages(): readonly ChatMessage[] {
    return answeredCalls(this.#messages);
  }

  /** Adds an answer in its stored form: the next turn sends the same text, which the provider's cache can match. */
  addAnswer({ reasoning, text }: ModelAnswer, calls: readonly RequestedCall[]): void {
    const parts = [
      { type: "reasoning", text: reasoning },
      { type: "text", text },
    ].filter((part) => part.text !== "");
    this.#add({ role: "assistant", content: [...parts, ...calls.map(({ event }) => ({ ...event }))] });
  }

  addResult({ toolCallId, toolName, output, isError = false }: ToolResult): void {
    const part = { type: "tool-result", toolCallId, toolName, output: storedOutput(output, isError) };
    this.#add({ role: "tool", content: [part] });
  }

  #add(message: Sendable): void {
    this.#messages.push(...chatMessages(message, this.#reasoningField));
  }
}
