import { type Agent, type AgentOutputType, Handoff } from "@openai/agents";
import type { AgentConfig, RunnerTurn } from "@sessions/turn-runner";
import { restrictedAgent } from "./restricted-agent.js";

/** The key of a session's state with the name of the agent that answered last. */
export const LAST_AGENT = "lastAgent";

/** The agent that answers a turn, with the session's config: the one that answered last if `first` can still hand over to it, else `first`. */
export function agentOfTurn<TContext, TOutput extends AgentOutputType>(
  first: Agent<TContext, TOutput>,
  turn: RunnerTurn,
): Agent<TContext, TOutput> {
  const name = turn.state[LAST_AGENT];
  const last = reachable(first).find((agent) => agent.name === name);
  return configured(last ?? first, turn.config);
}

/** An agent and all agents that it can hand over to, directly or not. */
function reachable<TContext, TOutput extends AgentOutputType>(
  first: Agent<TContext, TOutput>,
): readonly Agent<TContext, TOutput>[] {
  const found = new Set([first]);
  for (const agent of found)
    for (const next of agent.handoffs) found.add(next instanceof Handoff ? next.agent : next);
  return [...found];
}

/** The session's config overrides the agent's model and instructions, and restricts its tools. */
function configured<TContext, TOutput extends AgentOutputType>(
  agent: Agent<TContext, TOutput>,
  config: AgentConfig,
): Agent<TContext, TOutput> {
  const { model, instructions, tools } = config;
  const own = agent.clone({
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
  });
  return tools === undefined ? own : restrictedAgent(own, tools);
}
