import { Agent, type AgentInputItem, run, setTracingDisabled, user } from "@openai/agents";
import { assistantMessage, ScriptedModel } from "@openai/agents/testing";
import { textOf } from "@sessions/protocol";
import { failingStore, memoryPlace, storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { openaiSession } from "../src/index.js";

setTracingDisabled(true);

const REASONING: AgentInputItem = {
  type: "reasoning",
  id: "rs_1",
  content: [{ type: "input_text", text: "Hm." }],
};

test("an append is one commit that reads nothing, whatever the length of the session", async () => {
  const { store, sound, calls } = failingStore();
  await openaiSession(sound, "s").addItems(Array.from({ length: 1000 }, (_, n) => user(`${n}`)));
  await openaiSession(store, "s").addItems([user("one"), user("two")]);
  expect(calls).toEqual(["append"]);
});

test("ids of reasoning items are stored, and not sent if the run says so", async () => {
  const session = openaiSession(await memoryPlace().open(), "s");
  expect(session.preserveReasoningItemIdsForPersistence()).toBe(true);
  const model = new ScriptedModel([
    [REASONING, assistantMessage("One.", { id: "a1" })],
    [assistantMessage("Two.", { id: "a2" })],
  ]);
  const agent = new Agent({ name: "a", model });
  await run(agent, "One?", { session, reasoningItemIdPolicy: "omit" });
  expect((await session.getItems()).find(({ type }) => type === "reasoning")).toMatchObject({ id: "rs_1" });
  await run(agent, "Two?", { session, reasoningItemIdPolicy: "omit" });
  expect(JSON.stringify(model.lastCall?.request.input)).toContain("Hm.");
  expect(JSON.stringify(model.lastCall?.request.input)).not.toContain("rs_1");
});

test("metadata of a run that is a promise is INVALID_ARGUMENT, and nothing is stored", async () => {
  const store = await memoryPlace().open();
  const options: Record<string, unknown> = { metadata: async () => ({ userId: "u7" }) };
  const session = openaiSession(store, "s", options);
  const agent = new Agent({
    name: "a",
    model: new ScriptedModel([[assistantMessage("One.", { id: "a1" })]]),
  });
  await expect(run(agent, "One?", { session, context: {} })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(await store.sessionExists("s")).toBe(false);
});

test.each(storeKinds)(
  "clearing a session keeps its archives and recognizes its operations, deleting it keeps nothing: $name",
  async ({ open }) => {
    const store = await open();
    const session = openaiSession(store, "s");
    const operate = async (): Promise<void> =>
      session.applyHistoryTransaction({
        operationId: "op",
        transaction: { type: "append_items", items: [user("one")] },
      });
    await operate();
    await session.replaceHistoryWithCompaction([user("In short.")]);
    await session.clearSession();
    await operate();
    expect(await session.getItems()).toEqual([]);
    expect(await store.listArchives("s")).toHaveLength(1);
    await store.deleteSession("s");
    expect(await store.sessionExists("s")).toBe(false);
    expect(await store.listArchives("s")).toEqual([]);
  },
);

test.each(storeKinds)("the items of a session are messages to everything else: $name", async ({ open }) => {
  const store = await open();
  const items = [user("When?"), assistantMessage("At twelve.", { id: "a1" })];
  await openaiSession(store, "s").addItems(items);
  expect((await store.getSession("s"))?.messages.map(textOf)).toEqual(["When?", "At twelve."]);
  expect((await store.getChatHistory("s", { limit: 1 })).map(textOf)).toEqual(["At twelve."]);
  const { messages: sent, tokens } = await store.getContext("s", { maxTokens: 1000 });
  expect([sent.map(textOf), tokens > 0]).toEqual([["When?", "At twelve."], true]);
  await store.createSnapshot("s", "before");
  const fork = await store.forkSession("s", { newId: "fork" });
  await store.importSession(await store.exportSession("s"), { newId: "copy" });
  await openaiSession(store, "s").clearSession();
  await store.revertToSnapshot("s", "before");
  for (const id of ["s", fork.sessionId, "copy"])
    expect(await openaiSession(store, id).getItems()).toEqual(JSON.parse(JSON.stringify(items)));
});
