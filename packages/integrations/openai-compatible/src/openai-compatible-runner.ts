import type { Runner } from "@sessions/turn-runner";
import type { OpenAICompatibleOptions } from "./options.js";
import { settingsOf } from "./settings.js";
import { answerTurn } from "./turn/answer-turn.js";

/**
 * A runner for any endpoint that speaks OpenAI's `/chat/completions`: it streams, runs tools, and needs nothing but `fetch`. Errors
 * of the endpoint are `EndpointError`s; wrong options are INVALID_ARGUMENT at once.
 *
 * @example
 * ```ts
 * import { openaiCompatibleRunner } from "@sessions/openai-compatible";
 *
 * const runner = openaiCompatibleRunner({
 *   baseURL: "https://api.openai.com/v1",
 *   apiKey: process.env["OPENAI_API_KEY"],
 *   model: "gpt-4o-mini",
 *   tools: {
 *     add: {
 *       description: "Adds two numbers.",
 *       parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
 *       execute: ({ a, b }) => Number(a) + Number(b),
 *     },
 *   },
 * });
 * ```
 */
export function openaiCompatibleRunner(options: OpenAICompatibleOptions): Runner {
  const settings = settingsOf(options);
  return (turn) => answerTurn(settings, turn);
}
