import { type Agent, type AgentOutputType, Handoff } from "@openai/agents";

/**
 * The same agent with no tools but those of these names, whoever brings them along, and handing over to agents of which the
 * same is true: a session that is restricted stays so in the middle of a turn.
 */
export function restrictedAgent<TContext, TOutput extends AgentOutputType>(
  agent: Agent<TContext, TOutput>,
  names: readonly string[],
): Agent<TContext, TOutput> {
  return new Restriction<TContext, TOutput>(names).agent(agent);
}

class Restriction<TContext, TOutput extends AgentOutputType> {
  readonly #names: readonly string[];
  /** Agents may hand over in circles. */
  readonly #made = new Map<Agent<TContext, TOutput>, Agent<TContext, TOutput>>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  agent(agent: Agent<TContext, TOutput>): Agent<TContext, TOutput> {
    const known = this.#made.get(agent);
    if (known !== undefined) return known;
    const isAllowed = ({ name }: { readonly name: string }): boolean => this.#names.includes(name);
    const made = agent.clone({ tools: agent.tools.filter(isAllowed) });
    this.#made.set(agent, made);
    // Those of MCP servers are known when a run asks for them, and not before.
    const all = made.getAllTools.bind(made);
    made.getAllTools = async (...call) => (await all(...call)).filter(isAllowed);
    made.handoffs = agent.handoffs.map((one) =>
      one instanceof Handoff ? this.#handoff(one) : this.agent(one),
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
