import { SessionError } from "@sessions/protocol";
import { Gate, ManualClock, memoryPlace, storeKinds, withTurns } from "test-tools";
import { expect, test } from "vitest";
import { type AgentEvent, createManagedAgent } from "../src/index.js";

const deltas = (count: number, text = "some "): readonly AgentEvent[] =>
  Array.from({ length: count }, () => ({ type: "text-delta", text }));

test.each(storeKinds)("2 000 deltas are fewer than 25 commits on $name", async (kind) => {
  const store = await (await kind.place()).open();
  const runner = async function* (): AsyncGenerator<AgentEvent> {
    yield* deltas(2000);
  };
  const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner });
  const { revision, text } = await agent.execute("Go.");
  expect(text).toHaveLength(10_000);
  expect(revision).toBeLessThan(25);
});

test("unsaved text is saved after the interval, and earlier if it grows large", async () => {
  const store = await memoryPlace().open();
  const clock = new ManualClock();
  const gates = [new Gate(), new Gate()];
  const runner = async function* (): AsyncGenerator<AgentEvent> {
    yield* deltas(2, "ab");
    await gates[0]?.passed;
    yield* deltas(1, "x".repeat(100));
    await gates[1]?.passed;
  };
  const agent = createManagedAgent({
    store,
    sessionId: "s",
    config: {},
    runner,
    clock,
    checkpoint: { everyMs: 500, everyChars: 100 },
  });
  const running = agent.execute("Go.");
  const saved = async (): Promise<unknown> => (await store.getSession("s"))?.messages[1]?.content;
  await gates[0]?.reached;
  clock.pass(499);
  expect(await saved()).toBeUndefined();
  clock.pass(1);
  await expect.poll(saved).toBe("abab");
  gates[0]?.open();
  await gates[1]?.reached;
  await expect.poll(saved).toBe(`abab${"x".repeat(100)}`);
  gates[1]?.open();
  await running;
});

test("without options, a growing answer is saved after 2 s, and after 16 384 characters", async () => {
  const real = await memoryPlace().open();
  const clock = new ManualClock();
  const gates = { early: new Gate(), long: new Gate(), enough: new Gate() };
  let stage: keyof typeof gates = "early";
  const checkpoints: unknown[] = [];
  const store = withTurns(real, (turn) => ({
    commit: (ops, options) => {
      checkpoints.push({ stage, at: clock.monotonic() - begunAt });
      return turn.commit(ops, options);
    },
  }));
  const begunAt = clock.monotonic();
  const runner = async function* (): AsyncGenerator<AgentEvent> {
    const texts = { early: "early", long: "x".repeat(16_383), enough: "y" };
    for (stage of ["early", "long", "enough"] as const) {
      yield* deltas(1, texts[stage]);
      await gates[stage].passed;
    }
  };
  const running = createManagedAgent({ store, config: {}, runner, clock }).execute("Go.");
  await gates.early.reached;
  clock.pass(1999);
  clock.pass(1);
  await expect.poll(() => checkpoints).toEqual([{ stage: "early", at: 2000 }]);
  gates.early.open();
  await gates.long.reached;
  gates.long.open();
  await gates.enough.reached;
  const both = [
    { stage: "early", at: 2000 },
    { stage: "enough", at: 2000 },
  ];
  await expect.poll(() => checkpoints).toEqual(both);
  gates.enough.open();
  await running;
});

test("a slow store does not delay the stream until too much is unsaved, and gets one checkpoint at a time", async () => {
  const real = await memoryPlace().open();
  const gate = new Gate();
  let [underWay, most] = [0, 0];
  const store = withTurns(real, (turn) => ({
    async commit(ops, options) {
      most = Math.max(most, ++underWay);
      await gate.passed;
      return turn.commit(ops, options).finally(() => underWay--);
    },
  }));
  let told = 0;
  const runner = async function* (): AsyncGenerator<AgentEvent> {
    for (const event of deltas(100, "x".repeat(10))) {
      told++;
      yield event;
    }
  };
  const agent = createManagedAgent({ store, config: {}, runner, checkpoint: { everyChars: 50 } });
  const running = agent.execute("Go.");
  // The first five are under way, twenty more are as much as may wait.
  await expect.poll(() => told).toBe(25);
  gate.open();
  expect((await running).text).toHaveLength(1000);
  expect([told, most]).toEqual([100, 1]);
});

test("a checkpoint that fails stops the runner and reaches the caller", async () => {
  const real = await memoryPlace().open();
  const store = withTurns(real, () => ({
    commit: () => Promise.reject(SessionError.of("SESSION_CORRUPTED", "unreadable", {})),
  }));
  let signal: AbortSignal | undefined;
  const runner = async function* (turn: { readonly signal: AbortSignal }): AsyncGenerator<AgentEvent> {
    signal = turn.signal;
    yield* deltas(1, "much");
    await new Promise(() => undefined); // deaf
  };
  const agent = createManagedAgent({ store, config: {}, runner, checkpoint: { everyMs: 1 } });
  await expect(agent.execute("Go.")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  expect(signal?.aborted).toBe(true);
});
