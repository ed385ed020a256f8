import { type Agent, type AgentOutputType, Handoff } from "@openai/agents";
import type { AgentConfig, RunnerTurn } from "@sessions/turn-runner";
import { restrictedAgent } from "./restricted-agent.js";

/** The key of a session's state that names the agent which spoke last. */
export const LAST_AGENT = "lastAgent";

/** The agent to go on with: the one that was handed over to, if it is still within reach, under the session's config. */
export function agentOfTurn<TContext, TOutput extends AgentOutputType>(
  first: Agent<TContext, TOutput>,
  turn: RunnerTurn,
): Agent<TContext, TOutput> {
  const name = turn.state[LAST_AGENT];
  const last = reachable(first).find((agent) => agent.name === name);
  return configured(last ?? first, turn.config);
}

/** An agent and all that it can hand over to, the nearest first. */
function reachable<TContext, TOutput extends AgentOutputType>(
  first: Agent<TContext, TOutput>,
): readonly Agent<TContext, TOutput>[] {
  const found = new Set([first]);
  for (const agent of found)
    for (const one of agent.handoffs) found.add(one instanceof Handoff ? one.agent : one);
  return [...found];
}

/** What is stored with the session counts more than what the program says: its model, its instructions, its tools. */
function configured<TContext, TOutput extends AgentOutputType>(
  agent: Agent<TContext, TOutput>,
  config: AgentConfig,
): Agent<TContext, TOutput> {
  const { model, instructions, tools } = config;
  const told = agent.clone({
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
  });
  return tools === undefined ? told : restrictedAgent(told, tools);
}
