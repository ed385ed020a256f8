import type { Runner } from "../runner.js";
import { answerTurn } from "./answer-turn.js";
import type { OpenAICompatibleOptions } from "./options.js";
import { settingsOf } from "./settings.js";

/**
 * A runner for any endpoint that speaks OpenAI's `/chat/completions`: it streams, runs tools, and needs nothing but
 * `fetch`. What the endpoint does wrong is an `EndpointError`; wrong options are INVALID_ARGUMENT at once.
 *
 * @example
 * ```ts
 * import { openaiCompatibleRunner } from "@sessions/managed-agent/openai-compatible";
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
