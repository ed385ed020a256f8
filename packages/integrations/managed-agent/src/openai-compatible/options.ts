import type { Clock, JsonObject, OptionNames } from "@sessions/protocol/integration";
import type { RunnerTurn } from "../runner.js";
import type { Tool } from "./tool.js";

/** Where the model is, and how to talk to it. */
export interface OpenAICompatibleOptions {
  /** What stands before `/chat/completions`, such as `https://api.openai.com/v1`. A query string is kept. */
  readonly baseURL: string;
  /** Sent as a bearer token. Leave it out where none is needed. It never appears in an error. */
  readonly apiKey?: string | undefined;
  /** The model where the agent's config names none. */
  readonly model?: string | undefined;
  /** What the model may ask for, by name. The config's `tools` can restrict this, not widen it. */
  readonly tools?: Readonly<Record<string, Tool>> | undefined;
  /** How many times a turn may ask the model. @default 8 */
  readonly maxSteps?: number | undefined;
  /** Sent with each request, over the ones that are sent anyway. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** More fields of each request: `temperature`, `max_completion_tokens`, `reasoning_effort`… */
  readonly body?: JsonObject | ((turn: RunnerTurn) => JsonObject) | undefined;
  /** Whether to ask for usage with `stream_options`, which some endpoints refuse. @default true */
  readonly includeUsage?: boolean | undefined;
  /**
   * The field in which earlier reasoning is sent back to the model. Some models refuse a history without it, others one
   * with it.
   * @default none: reasoning is stored and not sent
   */
  readonly sendReasoningAs?: "reasoning_content" | "reasoning" | undefined;
  /** The longest silence of the endpoint: before it answers, and between two pieces of an answer. @default 300000 */
  readonly timeoutMs?: number | undefined;
  /** How many more times a request is sent that failed before anything of its answer was told. @default 2 */
  readonly retries?: number | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Time; tests hold it still. @default systemClock */
  readonly clock?: Clock | undefined;
  /** What spreads retries: a number from 0 to 1. @default Math.random */
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
