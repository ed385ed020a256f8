import { openMemoryStore } from "@sessions/memory";
import type { SessionStore } from "@sessions/protocol";
import {
  Gate,
  type HostileFunction,
  historyProblems,
  hostileFunctions,
  refuseUnhandledRejections,
} from "test-tools";
import { describe, expect, test } from "vitest";
import {
  type AgentEvent,
  createManagedAgent,
  type ManagedAgent,
  type ManagedAgentOptions,
} from "../src/index.js";
import { agentWith } from "./agent-with.js";
import { scripted } from "./scripted-runner.js";

/** A hostile function of the user that reports its call to the test. */
type Hostile = () => never;

/** Where a turn calls a function of the user. */
interface Place {
  readonly options: (hostile: Hostile) => Partial<ManagedAgentOptions>;
  /** Whether its failure is the turn's failure. */
  readonly failsTurn: boolean;
  /** Whether the turn waits for it. */
  readonly isAwaited: boolean;
  /** What the caller gets where that is not the function's own failure. */
  readonly error?: string;
}

const WORDS: AgentEvent = { type: "text-delta", text: "words" };

async function* failing(): AsyncGenerator<AgentEvent> {
  yield WORDS;
  throw new Error("the model is down");
}

function iterator(methods: Partial<AsyncIterator<AgentEvent>>): AsyncIterable<AgentEvent> {
  const next = async (): Promise<IteratorResult<AgentEvent>> => ({ done: true, value: undefined });
  return { [Symbol.asyncIterator]: () => ({ next, ...methods }) };
}

const SHORT = { maxTokens: 60, keepTokens: 20 };

const PLACES: Readonly<Record<string, Place>> = {
  runner: { options: (runner) => ({ runner }), failsTurn: true, isAwaited: true },
  "a runner's asyncIterator": {
    options: (hostile) => ({ runner: () => ({ [Symbol.asyncIterator]: hostile }) }),
    failsTurn: true,
    isAwaited: true,
  },
  "an iterator's next": {
    options: (next) => ({ runner: () => iterator({ next }) }),
    failsTurn: true,
    isAwaited: true,
  },
  "an iterator's return, after the turn has failed": {
    options: (hostile) => ({
      runner: () => iterator({ next: () => Promise.reject(new Error("down")), return: hostile }),
    }),
    failsTurn: true,
    isAwaited: false,
    error: "down",
  },
  "context.summarize": {
    options: (summarize) => ({ context: { ...SHORT, summarize } }),
    failsTurn: false,
    isAwaited: true,
  },
  "context.countTokens": {
    options: (countTokens) => ({ context: { countTokens } }),
    failsTurn: true,
    isAwaited: false,
  },
  onWarning: {
    options: (onWarning) => ({
      context: { ...SHORT, summarize: () => Promise.reject(new Error("no summary")) },
      onWarning,
    }),
    failsTurn: false,
    isAwaited: false,
  },
};

/** A conversation that is longer than a short context. */
async function longConversation(): Promise<SessionStore> {
  const store = openMemoryStore();
  for (let n = 0; n < 4; n++)
    await store.addMessage("s", [
      { role: "user", content: `Question ${n} ${"?".repeat(40)}` },
      { role: "assistant", content: `Answer ${n} ${"!".repeat(40)}` },
    ]);
  return store;
}

refuseUnhandledRejections();

describe.each(Object.entries(PLACES))("%s", (_name, place) => {
  test.each(hostileFunctions())(
    "that $how ends its turn with the stored outcome, and the next turn runs",
    (hostile) => endsTruly(place, hostile),
  );
});

async function endsTruly(place: Place, { call, hangs }: HostileFunction): Promise<void> {
  const store = await longConversation();
  const called = new Gate();
  const hostile: Hostile = () => {
    void called.passed;
    return call() as never;
  };
  const { agent } = await agentWith({ store, ttlMs: 2000, ...place.options(hostile) });
  const turn = agent.execute("?", { turnId: "t1" });
  const settling = Promise.allSettled([turn]);
  if (hangs && place.isAwaited) {
    await called.reached;
    expect(await agent.interrupt()).toBe(true);
  }
  const [settled] = await settling;

  const session = await store.getSession("s");
  expect(session?.turn).toBeUndefined();
  const outcome = session?.lastTurn?.outcome;
  if (hangs && place.isAwaited) expect(outcome).toBe("interrupted");
  else if (!place.failsTurn) expect(outcome).toBe("completed");
  expect(settled.status === "fulfilled").toBe(outcome === "completed");
  if (settled.status === "rejected" && place.error !== undefined)
    expect(settled.reason).toMatchObject({ message: place.error });
  if (settled.status === "fulfilled")
    expect(session?.messages.slice(-settled.value.messages.length)).toEqual(settled.value.messages);
  expect(await runsNext(store)).toBe("words");
  expect(historyProblems((await store.getSession("s"))?.messages ?? [])).toEqual([]);
}

async function runsNext(store: SessionStore): Promise<string> {
  const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner: scripted([WORDS]) });
  return (await agent.execute("And then?")).text;
}

describe("recover's onEvent", () => {
  test.each(hostileFunctions())("that $how does not change the result of the retry", async ({ call }) => {
    const { agent, store } = await agentWith({ runner: failing });
    await expect(agent.execute("?", { turnId: "t1" })).rejects.toThrow("the model is down");
    const good = createManagedAgent({ store, sessionId: "s", config: {}, runner: scripted([WORDS]) });
    expect(await good.recover({ strategy: "retry", onEvent: call as () => void })).toMatchObject({
      result: { text: "words" },
    });
  });
});

describe("compute hooks", () => {
  const ready = { provision: async () => ({ sandbox: "1" }), shutdown: async () => undefined };
  const settles = hostileFunctions().filter(({ hangs }) => !hangs);

  test.each(settles)("a provision that $how settles, and can be called again", async ({ call }) => {
    const provision = call as () => Promise<never>;
    const { agent, store } = await agentWith({ compute: { ...ready, provision } });
    const [made] = await Promise.allSettled([agent.provisionCompute()]);
    const compute = made.status === "fulfilled" ? made.value : { sandbox: "1" };
    const { agent: again } = await agentWith({ store, compute: ready });
    expect(await again.provisionCompute()).toEqual(compute);
  });

  test.each(settles)("a shutdown that $how settles, and can be called again", async ({ call }) => {
    const shutdown = call as () => Promise<never>;
    const { agent, store } = await agentWith({ compute: { ...ready, shutdown } });
    await agent.provisionCompute();
    const [gone] = await Promise.allSettled([agent.shutdownCompute()]);
    const { agent: again } = await agentWith({ store, compute: ready });
    expect(await again.shutdownCompute()).toBe(gone.status === "rejected");
  });

  test.each(["provision", "shutdown"] as const)("a %s that hangs does not block turns", async (name) => {
    const called = new Gate();
    const hanging = (): Promise<never> => {
      void called.passed;
      return new Promise(() => undefined);
    };
    const { agent, store } = await agentWith({ compute: { ...ready, [name]: hanging } });
    void (name === "provision" ? agent.provisionCompute() : shutDown(agent));
    await called.reached;
    expect(await runsNext(store)).toBe("words");
  });
});

async function shutDown(agent: ManagedAgent): Promise<void> {
  await agent.provisionCompute();
  await agent.shutdownCompute();
}
