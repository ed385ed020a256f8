import {
  type AgentEvent,
  type Fields,
  fieldsAt,
  isFields,
  objectsAt,
  stringAt,
  type Usage,
} from "@sessions/turn-runner";
import type { EndpointFailures } from "../endpoint/endpoint-failures.js";
import { type ProviderError, providerError } from "../endpoint/provider-error.js";
import { CallFragments, type RawCall } from "./call-fragments.js";
import { chunkUsage } from "./chunk-usage.js";

const UNEXPLAINED: ProviderError = { message: undefined, providerCode: undefined, status: undefined };

/** The model's answer to one request, as it grows. */
export class ModelAnswer {
  text = "";
  reasoning = "";
  /** Whether an event of it was yielded. From then on the request cannot be sent again. */
  hasYielded = false;
  readonly #failures: EndpointFailures;
  readonly #fragments = new CallFragments();
  #finishReason: string | undefined;
  #isDone = false;
  /** The last one counts: some endpoints send a running total with each chunk. */
  #usage: Usage | undefined;

  constructor(failures: EndpointFailures) {
    this.#failures = failures;
  }

  /** Takes the data of one server-sent event, and yields what it adds. */
  *take(data: string): Generator<AgentEvent> {
    if (data === "[DONE]") {
      this.#isDone = true;
      return;
    }
    const chunk = this.#parsed(data);
    this.#usage = chunkUsage(chunk) ?? this.#usage;
    const choice = objectsAt(chunk, "choices").find(({ index = 0 }) => index === 0);
    if (choice === undefined) return;
    this.#finishReason = stringAt(choice, "finish_reason") ?? this.#finishReason;
    yield* this.#addDelta(fieldsAt(choice, "delta"));
  }

  /** Whether the model has sent its finish reason. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  get calls(): readonly RawCall[] {
    return this.#fragments.calls;
  }

  *usage(): Generator<AgentEvent> {
    if (this.#usage !== undefined) yield { type: "usage", usage: this.#usage };
  }

  /** Throws unless the answer is complete: half an answer must not be stored as a whole one. */
  requireWhole(): void {
    if (!this.#isDone && !this.isFinished) throw this.#failures.cutOff();
    if (this.#finishReason === "error") throw this.#failures.reported(UNEXPLAINED, "");
    if (this.#finishReason === "length")
      throw this.#failures.incomplete(
        "OUTPUT_LIMIT",
        "stopped the answer at the limit of output tokens. Raise the limit in `body`, or ask for less.",
      );
    if (this.#finishReason === "content_filter")
      throw this.#failures.incomplete(
        "CONTENT_FILTER",
        "stopped the answer with its content filter. Ask otherwise.",
      );
  }

  #parsed(data: string): Fields {
    const chunk = this.#json(data);
    const error = providerError(chunk);
    if (error !== undefined) throw this.#failures.reported(error, data);
    if (!isFields(chunk))
      throw this.#failures.malformed("sent a piece of an answer that is no JSON object", data);
    return chunk;
  }

  #json(data: string): unknown {
    try {
      return JSON.parse(data);
    } catch {
      throw this.#failures.malformed("sent a piece of an answer that is no JSON", data);
    }
  }

  *#addDelta(delta: Fields): Generator<AgentEvent> {
    for (const fragment of objectsAt(delta, "tool_calls")) this.#fragments.add(fragment);
    // Some endpoints send the same reasoning under both names.
    yield* this.#addReasoning(stringAt(delta, "reasoning_content", "reasoning"));
    // A refusal is the model's answer: users read it like any other text.
    yield* this.#addText(stringAt(delta, "content") ?? stringAt(delta, "refusal"));
    // Reasoning models of Mistral stream parts.
    for (const part of objectsAt(delta, "content")) yield* this.#addPart(part);
  }

  *#addPart(part: Fields): Generator<AgentEvent> {
    yield* this.#addText(part["type"] === "text" ? stringAt(part, "text") : undefined);
    for (const thought of objectsAt(part, "thinking")) yield* this.#addReasoning(stringAt(thought, "text"));
  }

  *#addReasoning(text: string | undefined): Generator<AgentEvent> {
    if (text === undefined) return;
    this.reasoning += text;
    this.hasYielded = true;
    yield { type: "reasoning-delta", text };
  }

  *#addText(text: string | undefined): Generator<AgentEvent> {
    if (text === undefined) return;
    this.text += text;
    this.hasYielded = true;
    yield { type: "text-delta", text };
  }
}
