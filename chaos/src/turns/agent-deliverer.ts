import { createManagedAgent, type ManagedAgent, type TurnResult } from "@sessions/managed-agent";
import { processName, type WorkerTask } from "../worker/worker-task.js";
import { CHECKPOINT, DEADLINE_MS, type Deliverer, type DeliveryContext, textOf } from "./deliverer.js";
import type { CallResult } from "./turn-line.js";
import { agentUpdate, type Traffic, type Update } from "./update.js";

const TURN_PREFIX = "turn-";
const STRATEGIES = ["keep", "retry", "discard"] as const;

type AgentTask = Traffic & Pick<WorkerTask, "slot" | "generation">;

/** Delivers each update to the agent of its session. */
export class AgentDeliverer implements Deliverer {
  readonly #context: DeliveryContext;
  readonly #task: AgentTask;

  constructor(context: DeliveryContext, task: AgentTask) {
    this.#context = context;
    this.#task = task;
  }

  deliver(update: Update): Promise<void> {
    const { recorder, random } = this.#context;
    const via = random.chance(0.5) ? "execute" : "stream";
    return recorder.call(update, via, async () => callResult(await this.#ask(update, via)));
  }

  /** Recovers the turn of the session that was cut off, if there is one and no other process runs it. */
  async linkOrRecover(update: Update): Promise<void> {
    const { recorder, random, store } = this.#context;
    const agent = this.#agent(update);
    if (!(await store.sessionExists(agent.sessionId))) return;
    const { cutOff } = await agent.resume(agent.sessionId);
    const force = this.#isDead(cutOff?.owner);
    if (cutOff === undefined || (cutOff.status === "running" && !force)) return;
    const number = Number(cutOff.turnId.slice(TURN_PREFIX.length));
    const strategy = random.pick(STRATEGIES) ?? "keep";
    await recorder.call(agentUpdate(this.#task, number), strategy, async () => {
      const { result } = (await agent.recover({ strategy, cutOff, force })) ?? {};
      if (result !== undefined) return callResult(result);
      return { outcome: "done", duplicate: false, session: agent.sessionId };
    });
  }

  /** A worker knows of one process that it is dead: the one that it replaces. */
  #isDead(owner: string | undefined): boolean {
    const { slot, generation } = this.#task;
    return generation > 1 && owner === processName({ slot, generation: generation - 1 });
  }

  async #ask(update: Update, via: "execute" | "stream"): Promise<TurnResult> {
    const { number } = update;
    const prompt = { role: "user", content: textOf(update), metadata: { update: number } };
    const turn = { turnId: `${TURN_PREFIX}${number}` };
    const agent = this.#agent(update);
    if (via === "execute") return agent.execute(prompt, turn);
    const stream = agent.stream(prompt, turn);
    // Awaits both, because a result that is not awaited would be an unhandled rejection.
    const [result] = await Promise.all([stream.result, drain(stream)]);
    return result;
  }

  #agent({ user }: Update): ManagedAgent {
    const { module, store, model, clock, ttlMs, process } = this.#context;
    return (module.createManagedAgent ?? createManagedAgent)({
      store,
      sessionId: `agent-${user}`,
      config: { name: "chaos" },
      runner: (turn) => model.answer(Number(turn.turnId.slice(TURN_PREFIX.length)), turn),
      checkpoint: CHECKPOINT,
      queue: { waitMs: DEADLINE_MS },
      ttlMs,
      owner: process,
      clock,
    });
  }
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _event of events);
}

function callResult({ text, duplicate, sessionId }: TurnResult): CallResult {
  return { outcome: "answered", reply: text, duplicate, session: sessionId };
}
