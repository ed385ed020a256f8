import { createManagedAgent, type ManagedAgent, type TurnResult } from "@sessions/managed-agent";
import { processName, type WorkerTask } from "../worker/worker-task.js";
import { CHECKPOINT, DEADLINE_MS, type Deliverer, type DeliveryPlace, textOf } from "./deliverer.js";
import type { Told } from "./turn-line.js";
import { agentUpdate, type Traffic, type Update } from "./update.js";

const TURN_PREFIX = "turn-";
const STRATEGIES = ["keep", "retry", "discard"] as const;

type AgentTask = Traffic & Pick<WorkerTask, "slot" | "life">;

/** An agent for each session, on the store that all workers share. */
export class AgentDeliverer implements Deliverer {
  readonly #place: DeliveryPlace;
  readonly #task: AgentTask;

  constructor(place: DeliveryPlace, task: AgentTask) {
    this.#place = place;
    this.#task = task;
  }

  deliver(update: Update): Promise<void> {
    const { recorder, random } = this.#place;
    const via = random.chance(0.5) ? "execute" : "stream";
    return recorder.call(update, via, async () => told(await this.#ask(update, via)));
  }

  /** Puts the session's cut-off turn in order, if there is one and nobody has begun another attempt. */
  async meddle(update: Update): Promise<void> {
    const { recorder, random, store } = this.#place;
    const agent = this.#agent(update);
    if (!(await store.sessionExists(agent.sessionId))) return;
    const { cutOff } = await agent.resume(agent.sessionId);
    const force = this.#isDead(cutOff?.owner);
    if (cutOff === undefined || (cutOff.status === "running" && !force)) return;
    const number = Number(cutOff.turnId.slice(TURN_PREFIX.length));
    const strategy = random.pick(STRATEGIES) ?? "keep";
    await recorder.call(agentUpdate(this.#task, number), strategy, async () => {
      const { result } = (await agent.recover({ strategy, cutOff, force })) ?? {};
      if (result !== undefined) return told(result);
      return { outcome: "done", duplicate: false, session: agent.sessionId };
    });
  }

  /** The only processes of which a worker knows that they are dead are its own earlier lives. */
  #isDead(owner: string | undefined): boolean {
    const { slot, life } = this.#task;
    return life > 1 && owner === processName({ slot, life: life - 1 });
  }

  async #ask(update: Update, via: "execute" | "stream"): Promise<TurnResult> {
    const { number } = update;
    const prompt = { role: "user", content: textOf(update), metadata: { update: number } };
    const turn = { turnId: `${TURN_PREFIX}${number}` };
    const agent = this.#agent(update);
    if (via === "execute") return agent.execute(prompt, turn);
    const stream = agent.stream(prompt, turn);
    // Both: a result that nobody waits for would be an unhandled rejection.
    const [result] = await Promise.all([stream.result, drained(stream)]);
    return result;
  }

  #agent({ user }: Update): ManagedAgent {
    const { module, store, model, clock, ttlMs, process } = this.#place;
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

async function drained(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _event of events);
}

function told({ text, duplicate, sessionId }: TurnResult): Told {
  return { outcome: "answered", reply: text, duplicate, session: sessionId };
}
