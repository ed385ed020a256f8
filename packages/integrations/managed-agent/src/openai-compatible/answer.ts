import type { AgentEvent, Usage } from "../agent-event.js";
import { CallFragments, type RawCall } from "./call-fragments.js";
import type { Failures } from "./failures.js";
import { type Fields, fieldsAt, isFields, objectsAt, stringAt } from "./json-fields.js";
import { type ToldError, toldError } from "./told-error.js";
import { usageOf } from "./usage-of.js";

const UNEXPLAINED: ToldError = { message: undefined, providerCode: undefined, status: undefined };

/** The model's answer to one request, as it grows. */
export class Answer {
  text = "";
  reasoning = "";
  /** Whether anybody has heard of it. From then on it cannot be asked for again. */
  told = false;
  readonly #failures: Failures;
  readonly #fragments = new CallFragments();
  #finishReason: string | undefined;
  #done = false;
  /** The last one counts: some endpoints tell with each chunk what it comes to so far. */
  #usage: Usage | undefined;

  constructor(failures: Failures) {
    this.#failures = failures;
  }

  /** Takes the data of one event, and yields what it adds. */
  *take(data: string): Generator<AgentEvent> {
    if (data === "[DONE]") {
      this.#done = true;
      return;
    }
    const chunk = this.#parsed(data);
    this.#usage = usageOf(chunk) ?? this.#usage;
    const choice = objectsAt(chunk, "choices").find(({ index = 0 }) => index === 0);
    if (choice === undefined) return;
    this.#finishReason = stringAt(choice, "finish_reason") ?? this.#finishReason;
    yield* this.#grow(fieldsAt(choice, "delta"));
  }

  /** Whether the model has said why it stopped. */
  get finished(): boolean {
    return this.#finishReason !== undefined;
  }

  get calls(): readonly RawCall[] {
    return this.#fragments.calls;
  }

  *usage(): Generator<AgentEvent> {
    if (this.#usage !== undefined) yield { type: "usage", usage: this.#usage };
  }

  /** Throws unless the answer came to its end: one that was cut is not passed off as a whole one. */
  requireWhole(): void {
    if (!this.#done && !this.finished) throw this.#failures.cutOff();
    if (this.#finishReason === "error") throw this.#failures.told(UNEXPLAINED, "");
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
    const error = toldError(chunk);
    if (error !== undefined) throw this.#failures.told(error, data);
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

  *#grow(delta: Fields): Generator<AgentEvent> {
    for (const fragment of objectsAt(delta, "tool_calls")) this.#fragments.add(fragment);
    // Some send the same reasoning under both names.
    yield* this.#think(stringAt(delta, "reasoning_content", "reasoning"));
    // A refusal is what the model answers: the user reads it like any other text.
    yield* this.#say(stringAt(delta, "content") ?? stringAt(delta, "refusal"));
    // Models of Mistral that think stream parts.
    for (const part of objectsAt(delta, "content")) yield* this.#growByPart(part);
  }

  *#growByPart(part: Fields): Generator<AgentEvent> {
    yield* this.#say(part["type"] === "text" ? stringAt(part, "text") : undefined);
    for (const thought of objectsAt(part, "thinking")) yield* this.#think(stringAt(thought, "text"));
  }

  *#think(text: string | undefined): Generator<AgentEvent> {
    if (text === undefined) return;
    this.reasoning += text;
    this.told = true;
    yield { type: "reasoning-delta", text };
  }

  *#say(text: string | undefined): Generator<AgentEvent> {
    if (text === undefined) return;
    this.text += text;
    this.told = true;
    yield { type: "text-delta", text };
  }
}
