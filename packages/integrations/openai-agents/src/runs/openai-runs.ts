import { type Agent, type AgentOutputType, Runner as AgentsRunner } from "@openai/agents";
import {
  type OptionNames,
  requireOptions,
  requireStore,
  type SessionStore,
  systemClock,
} from "@sessions/protocol/integration";
import { createIds } from "@sessions/turn-runner";
import type { OpenAIRuns, OpenAIRunsOptions } from "./runs.js";
import { StoredRuns } from "./stored-runs.js";

const DEFAULT_TTL_MS = 30_000;

const RUNS_OPTIONS: OptionNames<OpenAIRunsOptions> = {
  runner: "object",
  context: true,
  maxTurns: "count",
  ttlMs: true,
  waitMs: true,
  owner: true,
};

/**
 * The runs of an agent in a session, with tools that need approvals. A run that stops for one is stored with its state, and any process
 * lists what waits, decides, and resumes it.
 *
 * @example
 * ```ts
 * import { Agent } from "@openai/agents";
 *
 * const runs = openaiRuns(store, "user-42", new Agent({ name: "assistant" }));
 * const { waiting } = await runs.run("Pay the invoice.", { turnId: "webhook-7" });
 * for (const { callId } of waiting) await runs.approve(callId);
 * if (waiting.length > 0) await runs.resume();
 * ```
 */
export function openaiRuns<TContext, TOutput extends AgentOutputType>(
  store: SessionStore,
  sessionId: string,
  agent: Agent<TContext, TOutput>,
  given: OpenAIRunsOptions<TContext> = {},
): OpenAIRuns {
  requireStore(store);
  const { runner, context, maxTurns, ttlMs, waitMs, owner } = requireOptions(given, RUNS_OPTIONS);
  return new StoredRuns({
    store,
    sessionId,
    agent,
    runner: runner ?? new AgentsRunner(),
    context,
    maxTurns,
    ttlMs: ttlMs ?? DEFAULT_TTL_MS,
    waitMs,
    owner,
    clock: systemClock,
    newId: createIds(systemClock),
  });
}
