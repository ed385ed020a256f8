import type { Clock, JsonObject, OptionNames } from "@sessions/protocol/integration";
import type { RunnerTurn } from "@sessions/turn-runner";
import type { Tool } from "./tools/tool.js";

/** The endpoint, the model and its tools. */
export interface OpenAICompatibleOptions {
  /** The URL before `/chat/completions`, such as `https://api.openai.com/v1`. A query string is kept. */
  readonly baseURL: string;
  /** Sent as a bearer token. Leave it out if the endpoint needs none. It never appears in an error. */
  readonly apiKey?: string | undefined;
  /** The model, unless the agent's config names one. */
  readonly model?: string | undefined;
  /** The tools that the model may call, by name. The config's `tools` can restrict these, not add to them. */
  readonly tools?: Readonly<Record<string, Tool>> | undefined;
  /** How many requests a turn may make. @default 8 */
  readonly maxSteps?: number | undefined;
  /** Sent with each request; they override the default headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** More fields of each request: `temperature`, `max_completion_tokens`, `reasoning_effort`… */
  readonly body?: JsonObject | ((turn: RunnerTurn) => JsonObject) | undefined;
  /** Whether to ask for usage with `stream_options`, which some endpoints refuse. @default true */
  readonly includeUsage?: boolean | undefined;
  /**
   * The field in which earlier reasoning is sent back to the model. Some models refuse a history without it, others a history with
   * it.
   * @default none: reasoning is stored and not sent
   */
  readonly sendReasoningAs?: "reasoning_content" | "reasoning" | undefined;
  /** The longest silence of the endpoint, before an answer and within it. @default 300000 */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again that failed before its first event. @default 2 */
  readonly retries?: number | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The clock; tests pass their own. @default systemClock */
  readonly clock?: Clock | undefined;
  /** A number from 0 to 1 that spreads retries. @default Math.random */
  readonly random?: (() => number) | undefined;
}

export const OPENAI_COMPATIBLE_OPTIONS: OptionNames<OpenAICompatibleOptions> = {
  baseURL: true,
  apiKey: true,
  model: true,
  tools: "object",
  maxSteps: true,
  headers: "object",
  body: true,
  includeUsage: "boolean",
  sendReasoningAs: ["reasoning_content", "reasoning"],
  timeoutMs: true,
  retries: true,
  fetch: "function",
  clock: "object",
  random: "function",
};
