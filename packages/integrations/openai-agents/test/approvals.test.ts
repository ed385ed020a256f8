import { join } from "node:path";
import { MemorySession, RunState, run, setTracingDisabled, user } from "@openai/agents";
import { Gate, openStore, storeKinds, temporaryFolder } from "test-tools";
import { expect, test } from "vitest";
import { openaiRuns, openaiSession } from "../src/index.js";
import { answers, asksToPay, payingAgent, payments } from "./paying-agent.mjs";

setTracingDisabled(true);

const WAITING = { callId: "c1", toolName: "pay", agentName: "payer", input: { amount: 5 } };

const paymentsFile = async (): Promise<string> => join(await temporaryFolder(), "payments");

/** A session with a run that waits, and agents that ask, and that go on, as two processes have them. */
async function waitingRuns({ open }: (typeof storeKinds)[number], after?: () => Promise<unknown>) {
  const store = await open();
  const file = await paymentsFile();
  const asked = openaiRuns(store, "s", payingAgent(file, [asksToPay(5, "c1")]).agent);
  const stopped = await asked.run("Pay.", { turnId: "t1" });
  const { agent, model } = payingAgent(file, [answers("It is paid.")], after);
  return { store, file, asked, stopped, agent, model, runs: openaiRuns(store, "s", agent) };
}

test.each(storeKinds)(
  "a run that stops for an approval is stored with its state in the one commit that ends its turn: $name",
  async (kind) => {
    const { store, file, asked, stopped, runs } = await waitingRuns(kind);
    expect(stopped).toMatchObject({
      turnId: "t1",
      status: "waiting",
      waiting: [{ ...WAITING, status: "undecided" }],
    });
    const session = await store.getSession("s");
    expect(session?.revision).toBe(2); // the turn began, and ended
    expect(session?.metadata["openai.run"]).toMatchObject({ turnId: "t1", calls: [WAITING] });
    expect((await openaiSession(store, "s").getItems()).map(({ type }) => type)).toEqual([
      "message",
      "function_call",
    ]);
    expect(await runs.waiting()).toEqual([{ ...WAITING, status: "undecided" }]);
    expect(await payments(file)).toEqual([]);
    // The same turn again runs nothing: the model has no second answer.
    expect(await asked.run("Pay.", { turnId: "t1" })).toMatchObject({ duplicate: true, status: "waiting" });
  },
);

test.each(storeKinds)(
  "an approved run goes on and leaves the same items as in the SDK's own session: $name",
  async (kind) => {
    const { store, file, runs } = await waitingRuns(kind);
    await runs.approve("c1");
    await openaiSession(store, "s").addItems([user("From elsewhere.")]);
    expect((await runs.waiting())[0]?.status).toBe("approved");
    const before = (await store.getSession("s"))?.revision ?? 0;
    const ended = await runs.resume({ turnId: "t2" });
    expect(ended).toMatchObject({
      status: "completed",
      text: "It is paid.",
      finalOutput: "It is paid.",
      waiting: [],
    });
    expect((await store.getSession("s"))?.revision).toBe(before + 3); // the turn began, may pay, and ended
    expect(await payments(file)).toEqual(["5"]);
    expect(await runs.waiting()).toEqual([]);
    expect((await store.getSession("s"))?.metadata["openai.run"]).toBeUndefined();
    const items = await openaiSession(store, "s").getItems();
    expect(items.filter((item) => !JSON.stringify(item).includes("elsewhere"))).toEqual(await itemsOfSdk());
    expect(items).toHaveLength(5);
    // The same turn again pays nothing, and says what it said.
    expect(await runs.resume({ turnId: "t2" })).toMatchObject({ duplicate: true, text: "It is paid." });
    await expect(runs.resume()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await payments(file)).toEqual(["5"]);
  },
);

/** The items of the same run, by `run` and a session in memory. */
async function itemsOfSdk() {
  const session = new MemorySession();
  const file = await paymentsFile();
  const { agent } = payingAgent(file, [asksToPay(5, "c1"), answers("It is paid.")]);
  const { state } = await run(agent, "Pay.", { session });
  const read = await RunState.fromString(agent, state.toString());
  for (const item of read.getInterruptions()) read.approve(item);
  await run(agent, read, { session });
  return JSON.parse(JSON.stringify(await session.getItems()));
}

test.each(storeKinds)("a rejected tool is not run, and the model is told why: $name", async (kind) => {
  const { file, model, runs } = await waitingRuns(kind);
  await runs.reject("c1", { message: "Too much." });
  expect(await runs.resume()).toMatchObject({ status: "completed" });
  expect(JSON.stringify(model.lastCall?.request.input)).toContain("Too much.");
  expect(await payments(file)).toEqual([]);
});

test.each(storeKinds)("a decision counts once, and the other one is refused: $name", async (kind) => {
  const { store, asked, runs } = await waitingRuns(kind);
  const revision = async (): Promise<number | undefined> => (await store.getSession("s"))?.revision;
  await expect(runs.resume()).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("c1"),
  });
  await Promise.all([runs.approve("c1"), asked.approve("c1")]);
  const decided = await revision();
  await runs.approve("c1");
  await expect(runs.reject("c1")).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("approved"),
  });
  await expect(runs.approve("c9")).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("c1"),
  });
  expect(await revision()).toBe(decided);
  await expect(runs.run("Something else.")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect((await runs.waiting())[0]?.status).toBe("approved");
});

test.each(storeKinds)(
  "of two processes that resume at once, one runs the tool and the other is refused: $name",
  async (kind) => {
    const { store, file, agent, runs } = await waitingRuns(kind);
    await runs.approve("c1");
    const ends = await Promise.allSettled([runs.resume(), openaiRuns(store, "s", agent).resume()]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [refused] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(refused).toMatchObject({ code: "TURN_BUSY" });
    expect(await payments(file)).toEqual(["5"]);
  },
);

test.each(storeKinds)(
  "one that waits for its turn to resume finds that nothing waits any more: $name",
  async (kind) => {
    const { store, file, agent, runs } = await waitingRuns(kind);
    await runs.approve("c1");
    const patient = openaiRuns(store, "s", agent, { waitMs: 20_000 });
    const ends = await Promise.allSettled([patient.resume(), patient.resume()]);
    const [refused] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(refused).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("no run that waits"),
    });
    expect(await payments(file)).toEqual(["5"]);
  },
);

test.each(storeKinds)(
  "a model that fails after the tool has run is asked again, and the tool is not run again: $name",
  async (kind) => {
    const { store, file, runs } = await waitingRuns(kind);
    await runs.approve("c1");
    const failing = openaiRuns(store, "s", payingAgent(file, []).agent);
    await expect(failing.resume()).rejects.toThrow();
    expect(await payments(file)).toEqual(["5"]);
    expect(await runs.waiting()).toEqual([]);
    expect(await runs.resume()).toMatchObject({ status: "completed", text: "It is paid." });
    expect(await payments(file)).toEqual(["5"]);
    expect(await openaiSession(store, "s").getItems()).toEqual(await itemsOfSdk());
  },
);

test.each(storeKinds)(
  "a new run that fails adds nothing, and its turn may run again: $name",
  async ({ open }) => {
    const store = await open();
    const file = await paymentsFile();
    await expect(
      openaiRuns(store, "s", payingAgent(file, []).agent).run("Pay.", { turnId: "t1" }),
    ).rejects.toThrow();
    expect(await openaiSession(store, "s").getItems()).toEqual([]);
    const { agent } = payingAgent(file, [answers("Nothing to pay.")]);
    expect(await openaiRuns(store, "s", agent).run("Pay.", { turnId: "t1" })).toMatchObject({
      text: "Nothing to pay.",
    });
    expect(await openaiSession(store, "s").getItems()).toHaveLength(2);
  },
);

test("a run whose state is too large to be stored fails, and adds nothing", async () => {
  const [kind] = storeKinds;
  if (kind === undefined) throw new Error("there is a store");
  const store = await kind.open();
  const runs = openaiRuns(store, "s", payingAgent(await paymentsFile(), [asksToPay(5, "c1")]).agent);
  await expect(runs.run("x".repeat(1_100_000))).rejects.toMatchObject({ code: "TOO_LARGE" });
  const session = await store.getSession("s");
  expect(session).toMatchObject({ messageCount: 0, metadata: {} });
  expect(session?.turn).toBeUndefined();
});

test("a run that is stopped adds nothing, and one that was resumed leaves its call for somebody to look at", async () => {
  const [kind] = storeKinds;
  if (kind === undefined) throw new Error("there is a store");
  const paid = new Gate();
  const { store, file, runs } = await waitingRuns(kind, () => paid.passed);
  await runs.approve("c1");
  const stop = new AbortController();
  const resumed = expect(runs.resume({ signal: stop.signal })).rejects.toThrow("enough");
  await paid.reached;
  stop.abort(new Error("enough"));
  await resumed;
  expect((await runs.waiting())[0]?.status).toBe("unknown");
  expect(await payments(file)).toEqual(["5"]);

  const { agent } = payingAgent(file, []);
  const held = new Gate();
  const hold = async (): Promise<never> => {
    await held.passed;
    throw new Error("nobody opens it");
  };
  agent.model = {
    getResponse: hold,
    getStreamedResponse: (): never => {
      throw new Error("not used");
    },
  };
  const asking = openaiRuns(store, "other", agent).run("Pay.", { turnId: "t1", signal: stop.signal });
  await expect(asking).rejects.toThrow("enough");
  const again = new AbortController();
  const asked = openaiRuns(store, "other", agent).run("Pay.", { turnId: "t1", signal: again.signal });
  const running = expect(asked).rejects.toThrow("enough");
  await held.reached;
  again.abort(new Error("enough"));
  await running;
  expect(await store.getSession("other")).toMatchObject({
    messageCount: 0,
    lastTurn: { outcome: "interrupted" },
  });
});

test("a run that is abandoned waits no more, and its items stay", async () => {
  const [kind] = storeKinds;
  if (kind === undefined) throw new Error("there is a store");
  const { store, runs } = await waitingRuns(kind);
  expect(await runs.abandon()).toBe(true);
  expect(await runs.abandon()).toBe(false);
  expect(await runs.waiting()).toEqual([]);
  expect(await openaiSession(store, "s").getItems()).toHaveLength(2);
  expect(await runs.run("And now?")).toMatchObject({ text: "It is paid." });
});

test("a stored run that cannot be read is SESSION_CORRUPTED, and one of a newer version FORMAT_UNSUPPORTED", async () => {
  const [kind] = storeKinds;
  if (kind === undefined) throw new Error("there is a store");
  const { store, runs } = await waitingRuns(kind);
  for (const [damage, code] of [
    [{ version: 1, turnId: "t1", state: "{}" }, "SESSION_CORRUPTED"],
    [{ version: 1, turnId: "t1", state: "{}", calls: [{ callId: 1 }] }, "SESSION_CORRUPTED"],
    ["what", "SESSION_CORRUPTED"],
    [{ version: 2 }, "FORMAT_UNSUPPORTED"],
  ] as const) {
    await store.updateSessionMetadata("s", { "openai.run": damage });
    for (const call of [
      () => runs.waiting(),
      () => runs.approve("c1"),
      () => runs.resume(),
      () => runs.run("More."),
    ])
      await expect(call()).rejects.toMatchObject({ code });
    expect((await store.getSession("s"))?.metadata["openai.run"]).toEqual(damage);
  }
});

test("resuming a session that does not exist is refused, and creates nothing", async () => {
  const store = await openStore({ kind: "json-file", root: await temporaryFolder() });
  const { agent } = payingAgent(await paymentsFile(), []);
  await expect(openaiRuns(store, "s", agent).resume({ turnId: "t1" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(await store.sessionExists("s")).toBe(false);
  await store.close();
});
