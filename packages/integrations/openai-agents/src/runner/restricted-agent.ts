import { type Agent, type AgentOutputType, Handoff } from "@openai/agents";

/**
 * A copy of an agent that has only the tools with these names, also of those from MCP servers. The agents that it hands over to are
 * restricted too, so that a handoff does not lift the restriction.
 */
export function restrictedAgent<TContext, TOutput extends AgentOutputType>(
  agent: Agent<TContext, TOutput>,
  names: readonly string[],
): Agent<TContext, TOutput> {
  return new Restriction<TContext, TOutput>(names).agent(agent);
}

class Restriction<TContext, TOutput extends AgentOutputType> {
  readonly #names: readonly string[];
  /** The copies: agents may hand over in a circle. */
  readonly #made = new Map<Agent<TContext, TOutput>, Agent<TContext, TOutput>>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  agent(agent: Agent<TContext, TOutput>): Agent<TContext, TOutput> {
    const present = this.#made.get(agent);
    if (present !== undefined) return present;
    const isAllowed = ({ name }: { readonly name: string }): boolean => this.#names.includes(name);
    const made = agent.clone({ tools: agent.tools.filter(isAllowed) });
    this.#made.set(agent, made);
    // Tools of MCP servers are known only when a run asks for them.
    const all = made.getAllTools.bind(made);
    made.getAllTools = async (...call) => (await all(...call)).filter(isAllowed);
    made.handoffs = agent.handoffs.map((next) =>
      next instanceof Handoff ? this.#handoff(next) : this.agent(next),
    );
    return made;
  }

  #handoff(handoff: Handoff<TContext, TOutput>): Handoff<TContext, TOutput> {
    return handoff.clone({
      agent: this.agent(handoff.agent),
      onInvokeHandoff: async (context, args) => this.agent(await handoff.onInvokeHandoff(context, args)),
    });
  }
}
