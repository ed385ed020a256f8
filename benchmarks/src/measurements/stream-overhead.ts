import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type AgentEvent, createManagedAgent, type Runner } from "@sessions/managed-agent";
import type { SessionStore } from "@sessions/protocol";
import { alternating, type Cost } from "../alternating.js";
import { atMost } from "../bar.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const DELTAS = 2000;
/** Deltas that come together, with a millisecond between: faster than models are. The faster the answer, the more keeping it costs. */
const TOGETHER = 8;
const MOST_COMMITS = 25;
const DELTA: AgentEvent = { type: "text-delta", text: "some words " };

/** The cost of storing a streamed answer ÷ that of the runner alone. Also counts the commits of each turn. */
export function streamOverhead(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: a managed agent's stream of ${DELTAS} deltas ÷ the bare runner`,
    unit: "×",
    bar: atMost(1.1),
    async measure({ runs, folder }) {
      await using store = await under.open(join(folder, "store"));
      return { values: await alternating(runs, managed(store), bare) };
    },
  };
}

/** A fast model. */
async function* model(): AsyncGenerator<AgentEvent> {
  for (let told = 0; told < DELTAS; told++) {
    if (told % TOGETHER === 0) await delay(1);
    yield DELTA;
  }
}

const bare: Cost = () => timed(model());

function managed(store: SessionStore): Cost {
  const runner: Runner = model;
  return async () => {
    const agent = createManagedAgent({ store, runner, config: { name: "benchmark" } });
    const stream = agent.stream("Go on.");
    const elapsed = await timed(stream, stream.result);
    const session = await store.getSession(agent.sessionId, { messages: { last: 1 } });
    ensureEqual("the length of the stored answer", session?.messages[0]?.content?.length, DELTAS * 11);
    ensureEqual(
      `fewer than ${MOST_COMMITS} commits`,
      (session?.revision ?? MOST_COMMITS) < MOST_COMMITS,
      true,
    );
    return elapsed;
  };
}

async function timed(events: AsyncIterable<AgentEvent>, end?: Promise<unknown>): Promise<number> {
  const start = performance.now();
  let count = 0;
  for await (const _ of events) count++;
  await end;
  ensureEqual("deltas", count, DELTAS);
  return performance.now() - start;
}
