import type { ToolResult } from "../agent-event.js";
import type { RunnerTurn } from "../runner.js";
import type { Answer } from "./answer.js";
import { answeredCalls } from "./answered-calls.js";
import type { ChatMessage, Sendable } from "./chat-message.js";
import { chatMessages } from "./chat-messages.js";
import type { RequestedCall } from "./run-calls.js";
import type { Settings } from "./settings.js";
import { storedOutput } from "./tool-output.js";

/** What the model is sent: the session's messages, and what this turn adds to them. */
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

  /** Adds it as the session will have it: the next turn then sends the same, and the provider's cache knows it. */
  addAnswer({ reasoning, text }: Answer, calls: readonly RequestedCall[]): void {
    const said = [
      { type: "reasoning", text: reasoning },
      { type: "text", text },
    ].filter((part) => part.text !== "");
    this.#add({ role: "assistant", content: [...said, ...calls.map(({ event }) => ({ ...event }))] });
  }

  addResult({ toolCallId, toolName, output, isError = false }: ToolResult): void {
    const part = { type: "tool-result", toolCallId, toolName, output: storedOutput(output, isError) };
    this.#add({ role: "tool", content: [part] });
  }

  #add(message: Sendable): void {
    this.#messages.push(...chatMessages(message, this.#reasoningField));
  }
}
