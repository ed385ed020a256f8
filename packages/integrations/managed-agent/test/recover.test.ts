import { openMemoryStore } from "@sessions/memory";
import { type SessionStore, systemClock } from "@sessions/protocol";
import { answerTextOf, Gate, historyProblems, SCRIPT_TEXT, type StoreKind, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { type AgentEvent, createManagedAgent, type ManagedAgent } from "../src/index.js";
import { scripted } from "./scripted-runner.js";

/** A session whose turn was cut off between the answers of two tools, as a dead process leaves it. */
async function cutOff(
  kind: StoreKind,
  ttlMs = 60_000,
): Promise<{ agent: ManagedAgent; store: SessionStore }> {
  const store = await (await kind.place()).open();
  return { agent: await cutOffIn(store, ttlMs), store };
}

async function cutOffIn(store: SessionStore, ttlMs: number): Promise<ManagedAgent> {
  const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner: scripted() });
  await agent.execute("Before.", { turnId: "t0" });
  const begun = await store.beginTurn("s", {
    turnId: "t1",
    owner: "dead-1",
    ttlMs,
    renew: false,
    messages: { role: "user", content: "What is it?", metadata: { turnId: "t1", prompt: true } },
  });
  if (begun.status !== "begun") throw new Error("the turn has not begun");
  const call = (id: string): object => ({ type: "tool-call", toolCallId: id, toolName: "look", input: {} });
  const output = { type: "text", value: "x" };
  const answer = { type: "tool-result", toolCallId: "b", toolName: "look", output };
  await begun.turn.append([
    {
      role: "assistant",
      content: [{ type: "text", text: "Let me see." }, call("a"), call("b")],
      status: "partial",
      metadata: { turnId: "t1" },
    },
    { role: "tool", content: [answer], metadata: { turnId: "t1" } },
  ]);
  return agent;
}

async function anotherAttemptIsLeftAlone(agent: ManagedAgent, store: SessionStore): Promise<void> {
  const { cutOff: seen } = await agent.resume("s");
  expect(seen).toMatchObject({ turnId: "t1", owner: "dead-1", startedAt: expect.any(Number) });
  await store.interruptTurn("s", { turnId: "t1", force: true });
  const again = await store.beginTurn("s", { turnId: "t1", owner: "alive" });
  const { revision } = await agent.retrieveSession("s");
  for (const strategy of ["keep", "retry", "discard"] as const)
    expect(await agent.recover({ strategy, force: true, cutOff: seen }), strategy).toBeUndefined();
  const { turn, revision: after } = await agent.retrieveSession("s");
  expect([turn?.owner, after]).toEqual(["alive", revision]);
  if (again.status === "begun") await again.turn.release();
}

describe.each(storeKinds)("on $name", (kind) => {
  test("resume reports a turn that was cut off, and restores config, state and usage", async () => {
    const { store } = await cutOff(kind);
    const agent = createManagedAgent({ store, config: { name: "another" }, runner: scripted() });
    const resumed = await agent.resume("s");
    expect(resumed).toMatchObject({
      config: {},
      state: { mood: "sure" },
      usage: { turns: 1, inputTokens: 10 },
    });
    expect(resumed.cutOff).toMatchObject({ turnId: "t1", status: "running", text: "Let me see." });
    expect(resumed.cutOff?.prompt).toMatchObject({ content: "What is it?" });
    expect(resumed.cutOff?.messages).toHaveLength(2);
    expect([agent.sessionId, agent.config]).toEqual(["s", {}]);
  });

  test("a turn whose lease is over is reported as expired, and is recovered without force", async () => {
    const { agent, store } = await cutOff(kind, 1);
    await expect.poll(async () => (await store.getSession("s"))?.turn?.status).toBe("expired");
    expect((await agent.resume("s")).cutOff).toMatchObject({ turnId: "t1", status: "expired" });
    expect(await agent.recover({ strategy: "keep" })).toEqual({ turnId: "t1", strategy: "keep" });
    expect((await agent.resume("s")).cutOff).toBeUndefined();
  });

  test("a turn with a valid lease is recovered only by force", async () => {
    const { agent } = await cutOff(kind);
    for (const strategy of ["keep", "retry", "discard"] as const)
      await expect(agent.recover({ strategy })).rejects.toMatchObject({
        code: "TURN_BUSY",
        turnId: "t1",
        owner: "dead-1",
      });
    expect(await agent.recover({ strategy: "keep", force: true })).toEqual({
      turnId: "t1",
      strategy: "keep",
    });
  });

  test("recover changes only the attempt that resume reported, and not a newer one", async () => {
    const { agent, store } = await cutOff(kind);
    await anotherAttemptIsLeftAlone(agent, store);
  });

  test("recovery by retry passes its events to onEvent as they come", async () => {
    const { agent } = await cutOff(kind);
    const { cutOff: seen } = await agent.resume("s");
    const told: string[] = [];
    const onEvent = (event: AgentEvent): void => {
      if (event.type === "text-delta") told.push(event.text);
    };
    await agent.recover({ strategy: "retry", force: true, cutOff: seen, onEvent });
    expect(told.join("")).toBe(SCRIPT_TEXT);
  });

  test("recovery by keep makes the partial answer a valid message, and the turn is not reported again", async () => {
    const { agent, store } = await cutOff(kind);
    const before = (await agent.retrieveSession("s")).revision;
    await agent.recover({ strategy: "keep", force: true });
    const session = await agent.retrieveSession("s");
    expect(session.revision).toBe(before + 1);
    expect(historyProblems(session.messages)).toEqual([]);
    expect(session.messages.slice(6)).toMatchObject([
      { role: "assistant", status: "interrupted" },
      { role: "tool", content: [{ toolCallId: "b" }] },
      { role: "tool", content: [{ toolCallId: "a", toolName: "look", output: { type: "error-text" } }] },
    ]);
    expect((await agent.resume("s")).cutOff).toBeUndefined();
    expect(await agent.recover({ strategy: "discard" })).toBeUndefined();
    // Its turn may be run again all the same.
    await agent.execute("What is it?", { turnId: "t1" });
    expect(answerTextOf((await store.getSession("s"))?.messages ?? [])).toBe(SCRIPT_TEXT + SCRIPT_TEXT);
  });

  test("recovery by discard removes the prompt and the answer in one commit", async () => {
    const { agent } = await cutOff(kind);
    const before = await agent.retrieveSession("s");
    await agent.recover({ strategy: "discard", force: true });
    const session = await agent.retrieveSession("s");
    expect(session.revision).toBe(before.revision + 1);
    expect(session.messages).toEqual(before.messages.slice(0, 5));
    expect((await agent.resume("s")).cutOff).toBeUndefined();
  });

  test("recovery by retry keeps one prompt, removes the partial answer, and counts the usage again", async () => {
    const { agent } = await cutOff(kind);
    const recovery = await agent.recover({ strategy: "retry", force: true });
    expect(recovery?.result).toMatchObject({ turnId: "t1", duplicate: false, text: "The answer is 42." });
    const { messages, counters } = await agent.retrieveSession("s");
    expect(messages.map((message) => message.metadata?.["turnId"])).toEqual([
      ...Array(5).fill("t0"),
      ...Array(5).fill("t1"),
    ]);
    expect(historyProblems(messages)).toEqual([]);
    expect(counters).toEqual({ turns: 2, inputTokens: 20, outputTokens: 10 });
    expect(await agent.recover({ strategy: "retry" })).toBeUndefined();
  });

  test("a recovery that was cut off can be repeated", async () => {
    const { agent, store } = await cutOff(kind);
    // As far as a retry gets before its process dies: the lease is taken away, and taken.
    await store.interruptTurn("s", { turnId: "t1", force: true });
    expect((await agent.resume("s")).cutOff).toMatchObject({ turnId: "t1", status: "interrupted" });
    const prompt = (await agent.resume("s")).cutOff?.prompt;
    if (prompt === undefined) throw new Error("there is no prompt");
    await store.beginTurn("s", { turnId: "t1", messages: prompt, ttlMs: 60_000, renew: false });
    expect((await agent.resume("s")).cutOff).toMatchObject({ turnId: "t1", status: "running" });
    await agent.recover({ strategy: "retry", force: true });
    const { messages } = await agent.retrieveSession("s");
    expect(messages.filter((message) => message.role === "user")).toHaveLength(2);
    expect(historyProblems(messages)).toEqual([]);
  });

  test("the next turn repairs a cut-off turn that was not recovered", async () => {
    const { agent, store } = await cutOff(kind, 1);
    await expect.poll(async () => (await store.getSession("s"))?.turn?.status).toBe("expired");
    await agent.execute("Never mind.", { turnId: "t2" });
    const { messages } = await agent.retrieveSession("s");
    expect(historyProblems(messages)).toEqual([]);
    expect(messages.at(6)).toMatchObject({ role: "assistant", status: "interrupted" });
  });

  test("a failed turn is reported by resume, and can be retried", async () => {
    const store = await (await kind.place()).open();
    let fails = true;
    const runner = scripted(undefined, {
      index: 4,
      act: async () => {
        if (fails) throw new Error("the model is down");
      },
    });
    const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner });
    await expect(agent.execute("What is it?", { turnId: "t1" })).rejects.toThrow("the model is down");
    const { cutOff: cut } = await agent.resume("s");
    expect(cut).toMatchObject({ turnId: "t1", status: "failed", error: "Error: the model is down" });
    fails = false;
    await agent.recover({ strategy: "retry" });
    expect(answerTextOf((await agent.retrieveSession("s")).messages)).toBe(SCRIPT_TEXT);
  });
});

test("cutOff.owner is the option owner of the agent whose turn runs", async () => {
  const store = openMemoryStore();
  const gate = new Gate();
  const runner = scripted([], { index: 0, act: () => gate.passed });
  const running = createManagedAgent({ store, sessionId: "s", config: {}, runner, owner: "worker-7" });
  const turn = running.execute("?");
  await gate.reached;
  const agent = createManagedAgent({ store, config: {}, runner });
  expect((await agent.resume("s")).cutOff).toMatchObject({ status: "running", owner: "worker-7" });
  gate.open();
  await turn;
});

test("recover does not change another attempt that began in the same millisecond", async () => {
  const now = Date.now();
  await using store = openMemoryStore({ clock: { ...systemClock, now: () => now } });
  await anotherAttemptIsLeftAlone(await cutOffIn(store, 60_000), store);
});

test("an unknown session is SESSION_NOT_FOUND, and nothing changes", async () => {
  const [memory] = storeKinds;
  const store = await (await memory?.place())?.open();
  if (store === undefined) throw new Error("there is no store");
  const agent = createManagedAgent({ store, sessionId: "mine", config: { name: "a" }, runner: scripted() });
  await agent.execute("Hello.");
  await expect(agent.resume("unknown")).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
    sessionId: "unknown",
  });
  await expect(agent.retrieveSession("unknown")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  expect([agent.sessionId, agent.config]).toEqual(["mine", { name: "a" }]);
  expect(await store.sessionExists("unknown")).toBe(false);
  const wrong = [{ strategy: "forget" }];
  await expect(Reflect.apply(agent.recover, agent, wrong)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("recover with a failed attempt does not discard, keep or retry a newer attempt", async () => {
  const store = openMemoryStore();
  let words = "first words";
  const agent = createManagedAgent({
    store,
    sessionId: "s",
    config: {},
    runner: async function* () {
      yield { type: "text-delta", text: words };
      throw new Error("the model is down");
    },
  });
  await expect(agent.execute("?", { turnId: "t1" })).rejects.toThrow("the model is down");
  const { cutOff: seen } = await agent.resume("s");
  expect(seen).toMatchObject({ status: "failed", text: "first words" });
  words = "newer words";
  await expect(agent.execute("?", { turnId: "t1" })).rejects.toThrow("the model is down");
  for (const strategy of ["keep", "retry", "discard"] as const)
    expect(await agent.recover({ strategy, cutOff: seen }), strategy).toBeUndefined();
  const { session, cutOff: newer } = await agent.resume("s");
  expect(answerTextOf(session.messages)).toBe("newer words");
  expect(await agent.recover({ strategy: "discard", cutOff: newer })).toMatchObject({ turnId: "t1" });
});
