import { type Agent, type AgentOutputType, Runner as AgentsRunner, type RunConfig } from "@openai/agents";
import { type OptionNames, requireOptions, SessionError } from "@sessions/protocol/integration";
import type { AgentEvent, Runner, RunnerTurn } from "@sessions/turn-runner";
import { agentOfTurn, LAST_AGENT } from "./agent-of-turn.js";
import { RunEvents } from "./run-events.js";
import { historyOf } from "./turn-history.js";

/** How to run an agent of the SDK. */
export interface OpenAIAgentsRunnerOptions<TContext = unknown> {
  /** The SDK's own runner, for its model provider, guardrails, tracing and hooks. @default a new one */
  readonly runner?: AgentsRunner | undefined;
  /** The context of the run, which the SDK passes to tools, instructions and guardrails. */
  readonly context?: ((turn: RunnerTurn) => TContext | Promise<TContext>) | undefined;
  /** How many times a turn may call the model. @default that of the SDK */
  readonly maxTurns?: number | undefined;
  /** For the new runner, if `runner` is not set. */
  readonly config?: Partial<RunConfig> | undefined;
}

/**
 * Runs an agent of the OpenAI Agents SDK as a managed agent, with its tools and handoffs: its turns survive the end of their process.
 * After a handoff, the next turn begins with the agent that was handed over to.
 *
 * @example
 * ```ts
 * import { Agent } from "@openai/agents";
 * import { createManagedAgent } from "@sessions/managed-agent";
 *
 * const runner = openaiAgentsRunner(new Agent({ name: "assistant" }));
 * const agent = createManagedAgent({ store, sessionId: "user-42", config: {}, runner });
 * console.log((await agent.execute("Hello.")).text);
 * ```
 */
export function openaiAgentsRunner<TContext, TOutput extends AgentOutputType>(
  agent: Agent<TContext, TOutput>,
  given: OpenAIAgentsRunnerOptions<TContext> = {},
): Runner {
  const options = requireOptions(given, RUNNER_OPTIONS);
  const runner = options.runner ?? new AgentsRunner(options.config);
  return (turn) => runTurn(runner, agentOfTurn(agent, turn), turn, options);
}

const RUNNER_OPTIONS: OptionNames<OpenAIAgentsRunnerOptions> = {
  runner: "object",
  context: "function",
  maxTurns: "count",
  config: "object",
};

async function* runTurn<TContext, TOutput extends AgentOutputType>(
  runner: AgentsRunner,
  agent: Agent<TContext, TOutput>,
  turn: RunnerTurn,
  { context, maxTurns }: OpenAIAgentsRunnerOptions<TContext>,
): AsyncGenerator<AgentEvent> {
  const { signal } = turn;
  const result = await runner.run(agent, historyOf(turn.messages), {
    stream: true,
    signal,
    ...(context === undefined ? {} : { context: await context(turn) }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
  });
  const events = new RunEvents();
  for await (const event of result) yield* events.events(event);
  // The stream of an aborted run ends without an error.
  signal.throwIfAborted();
  await result.completed;
  if (result.interruptions.length > 0) throw needsApproval(turn.sessionId, result.interruptions.length);
  const last = result.lastAgent?.name;
  if (last !== undefined && last !== (turn.state[LAST_AGENT] ?? agent.name))
    yield { type: "state", patch: { [LAST_AGENT]: last } };
}

function needsApproval(sessionId: string, count: number): SessionError {
  return SessionError.of(
    "INVALID_ARGUMENT",
    `${count} tool calls wait for an approval, which a managed agent cannot ask for. Use \`openaiRuns\` for agents whose tools need one.`,
    { sessionId, path: "agent.tools" },
  );
}
