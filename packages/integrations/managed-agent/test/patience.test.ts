import { openMemoryStore } from "@sessions/memory";
import { SessionError } from "@sessions/protocol";
import { answerTextOf, ImmediateClock, SCRIPT_TEXT, withMethods, withTurns } from "test-tools";
import { expect, test } from "vitest";
import { createManagedAgent } from "../src/index.js";
import { agentWith } from "./agent-with.js";
import { type Fault, faultyStore } from "./faulty-store.js";
import { scripted } from "./scripted-runner.js";

const unavailable = (): Promise<never> =>
  Promise.reject(SessionError.of("STORE_UNAVAILABLE", "The store is down.", {}));

test.each([
  SessionError.of("STORE_BUSY", "made to fail", {}),
  SessionError.of("STORE_UNAVAILABLE", "made to fail", {}),
  SessionError.of("OUTCOME_UNKNOWN", "made to fail", { commitId: "x" }),
  SessionError.of("STORE_FULL", "made to fail", {}),
])(
  "$code that passes, at the beginning, at a checkpoint or at the end, does not fail a turn",
  async (error) => {
    const sound = openMemoryStore();
    const twice: Omit<Fault, "at"> = { times: 2, strike: () => Promise.reject(error) };
    const store = (["begin", "checkpoint", "complete"] as const).reduce(
      (below, at) => faultyStore(below, { ...twice, at: [at] }),
      sound,
    );
    const { agent } = await agentWith({ store, clock: new ImmediateClock() });
    expect(answerTextOf((await agent.execute("?")).messages)).toBe(SCRIPT_TEXT);
  },
);

test("a commit whose error may pass is sent again under the same commit id for half of ttlMs", async () => {
  const sound = openMemoryStore();
  const clock = new ImmediateClock();
  const sent: { readonly at: number; readonly commitId: string | undefined }[] = [];
  const store = withTurns(sound, () => ({
    complete: (_ops, options) => {
      sent.push({ at: clock.monotonic(), commitId: options?.commitId });
      return unavailable();
    },
  }));
  const { agent } = await agentWith({ store, clock, ttlMs: 60_000, runner: scripted([]) });
  await expect(agent.execute("?")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(new Set(sent.map(({ commitId }) => commitId)).size).toBe(1);
  const triedForMs = (sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0);
  expect(triedForMs).toBeLessThanOrEqual(30_000);
  // The next attempt would have come a second later at most.
  expect(triedForMs).toBeGreaterThan(29_000);
});

test("the beginning of a turn is tried again under the same turn id for half of ttlMs", async () => {
  const sound = openMemoryStore();
  const clock = new ImmediateClock();
  const asked: { readonly at: number; readonly turnId: string | undefined }[] = [];
  const store = withMethods(sound, {
    beginTurn: (_sessionId, options) => {
      asked.push({ at: clock.monotonic(), turnId: options?.turnId });
      return unavailable();
    },
  });
  const { agent } = await agentWith({ store, clock, ttlMs: 60_000 });
  await expect(agent.execute("?")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(new Set(asked.map(({ turnId }) => turnId)).size).toBe(1);
  const triedForMs = (asked.at(-1)?.at ?? 0) - (asked[0]?.at ?? 0);
  expect(triedForMs).toBeLessThanOrEqual(30_000);
  expect(triedForMs).toBeGreaterThan(29_000);
});

test("an answer that is stored and cannot be read back is OUTCOME_UNKNOWN, and its turn id returns it", async () => {
  const sound = openMemoryStore();
  const store = withMethods(sound, { getMessages: unavailable });
  const { agent } = await agentWith({ store, clock: new ImmediateClock() });
  const lost = agent.execute("What is it?", { turnId: "t1" });
  await expect(lost).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN", commitId: "t1" });
  let asked = 0;
  const runner = (): never => {
    asked++;
    throw new Error("the model was asked again");
  };
  const again = createManagedAgent({ store: sound, sessionId: "s", config: {}, runner });
  const result = await again.execute("What is it?", { turnId: "t1" });
  expect([answerTextOf(result.messages), result.duplicate, asked]).toEqual([SCRIPT_TEXT, true, 0]);
});
