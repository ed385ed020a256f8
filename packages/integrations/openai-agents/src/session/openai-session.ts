import {
  type OptionNames,
  requireOptions,
  requireStore,
  type SessionStore,
} from "@sessions/protocol/integration";
import type { OpenAISession, OpenAISessionOptions } from "./session.js";
import { StoredSession } from "./stored-session.js";

const SESSION_OPTIONS: OptionNames<OpenAISessionOptions> = {
  importFrom: "object",
  onClear: ["remove", "archive"],
  metadata: "function",
};

/**
 * A durable session for the OpenAI Agents SDK: pass it to `run`. It is not opened or closed, and any number of runs and processes may
 * use the same one.
 *
 * @example
 * ```ts
 * import { Agent, run } from "@openai/agents";
 *
 * const agent = new Agent({ name: "assistant" });
 * await run(agent, "Hello.", { session: openaiSession(store, "user-42") });
 * ```
 */
export function openaiSession<TContext = unknown>(
  store: SessionStore,
  sessionId: string,
  options: OpenAISessionOptions<TContext> = {},
): OpenAISession<TContext> {
  requireStore(store);
  return new StoredSession(store, sessionId, requireOptions(options, SESSION_OPTIONS));
}
