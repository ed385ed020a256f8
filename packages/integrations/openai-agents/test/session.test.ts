import {
  Agent,
  type AgentInputItem,
  MemorySession,
  run,
  type Session,
  setTracingDisabled,
  user,
} from "@openai/agents";
import {
  assistantMessage,
  functionCall,
  modelResponder,
  modelStreamResponder,
  ScriptedModel,
} from "@openai/agents/testing";
import { unansweredCalls } from "@sessions/protocol";
import { OtherProcess, sharedKinds, sharedPlace, storeKinds, withTestCleanup } from "test-tools";
import { expect, test } from "vitest";
import { openaiSession } from "../src/index.js";
import { adder, askingAgent } from "./scripted-agent.mjs";

setTracingDisabled(true);

const typesOf = (items: readonly AgentInputItem[]): readonly unknown[] => items.map((item) => item.type);

test.each(storeKinds)("turns follow each other, with parallel tools: $name", async ({ open }) => {
  const store = await open();
  for (const name of ["one", "two"])
    await run(askingAgent(name), `question ${name}`, { session: openaiSession(store, "user-42") });
  const items = await openaiSession(store, "user-42").getItems();
  const turn = [
    "message",
    "function_call",
    "function_call",
    "function_call_result",
    "function_call_result",
    "message",
  ];
  expect(typesOf(items)).toEqual([...turn, ...turn]);
  const oracle = new MemorySession();
  for (const name of ["one", "two"]) await run(askingAgent(name), `question ${name}`, { session: oracle });
  expect(items).toEqual(await oracle.getItems());
});

test.each(storeKinds)("the model gets the earlier items, also after a handoff: $name", async ({ open }) => {
  const session = openaiSession(await open(), "s");
  const expert = new Agent({
    name: "expert",
    model: new ScriptedModel([[assistantMessage("I am the expert.")]]),
  });
  const first = new Agent({
    name: "first",
    model: new ScriptedModel([[functionCall("transfer_to_expert", {}, { callId: "h1" })]]),
    handoffs: [expert],
  });
  const { lastAgent } = await run(first, "An expert, please.", { session });
  expect(lastAgent?.name).toBe("expert");
  const model = new ScriptedModel([[assistantMessage("Yes.")]]);
  await run(expert.clone({ model }), "Still there?", { session });
  const sent = model.firstCall?.request.input;
  expect(Array.isArray(sent) ? typesOf(sent) : sent).toEqual([
    "message",
    "function_call",
    "function_call_result",
    "message",
    "message",
  ]);
});

test.each(storeKinds)(
  "a run that is aborted leaves a history that the next one can use: $name",
  async ({ open }) => {
    const session = openaiSession(await open(), "s");
    const stop = new AbortController();
    const model = new ScriptedModel([
      modelStreamResponder(async function* () {
        yield { type: "output_text_delta", delta: "Well" };
        stop.abort();
        yield { type: "output_text_delta", delta: "..." };
      }),
    ]);
    const aborted = await run(new Agent({ name: "a", model }), "Hello.", {
      session,
      stream: true,
      signal: stop.signal,
    });
    for await (const _ of aborted) expect(aborted.error).toBeNull();
    await Promise.allSettled([aborted.completed]);
    await run(askingAgent("next"), "question next", { session });
    const items = await session.getItems();
    expect(items.at(-1)).toMatchObject({ id: "next-answer" });
    expect(
      items.filter((item) => item.type === "message" && item.role === "user").length,
    ).toBeLessThanOrEqual(2);
  },
);

test.concurrent.for(sharedKinds)(
  "after a kill in the middle of a run, the next process continues with a valid history: %s",
  withTestCleanup(async (kind) => {
    const place = await sharedPlace(kind);
    const killed = new OtherProcess(new URL("./held-run.mjs", import.meta.url), {
      place: place.where,
      sessionId: "s",
    });
    await killed.until((line) => "holds" in line);
    await killed.kill();
    const session = openaiSession(await place.open(), "s");
    const left = await session.getItems();
    expect(left.slice(0, 6).at(-1)).toMatchObject({ id: "before-answer" });
    expect(
      unansweredCalls(
        left.map((item, n) => ({
          id: String(n),
          role: "assistant",
          createdAt: 0,
          item: JSON.parse(JSON.stringify(item)),
        })),
      ),
    ).toEqual([]);
    await run(askingAgent("again"), "question again", { session });
    const items = await session.getItems();
    expect(items.slice(0, left.length)).toEqual(left);
    expect(items).toHaveLength(left.length + 6);
  }),
);

test.each(storeKinds)("limits and pops are exact to the item: $name", async ({ open }) => {
  const store = await open();
  const [session, oracle]: Session[] = [openaiSession(store, "s"), new MemorySession()];
  if (session === undefined || oracle === undefined) throw new Error("there are two");
  for (const one of [session, oracle]) await run(askingAgent("q"), "question q", { session: one });
  for (const limit of [undefined, 0, -1, 1, 2, 3, 4, 99])
    expect(await session.getItems(limit)).toEqual(await oracle.getItems(limit));
  for (let n = 0; n < 8; n++) expect(await session.popItem()).toEqual(await oracle.popItem());
  expect(await session.getItems()).toEqual([]);
  await session.addItems([user("again")]);
  await session.clearSession();
  expect(await session.getItems()).toEqual([]);
  await openaiSession(store, "absent").clearSession();
  expect(await store.sessionExists("absent")).toBe(false);
});

test.each(storeKinds)(
  "an earlier session is imported once, by the first call of any process: $name",
  async ({ open }) => {
    const store = await open();
    const earlier = new MemorySession({ initialItems: [user("one"), user("two")] });
    const importing = Array.from({ length: 5 }, () => openaiSession(store, "s", { importFrom: earlier }));
    await Promise.all(importing.map((session, n) => session.addItems([user(`new ${n}`)])));
    const items = await openaiSession(store, "s").getItems();
    expect(items.slice(0, 2)).toEqual([user("one"), user("two")]);
    expect(items).toHaveLength(7);
    await openaiSession(store, "s").clearSession();
    expect(await openaiSession(store, "s", { importFrom: earlier }).getItems()).toEqual([]);
  },
);

test("an import that fails rejects the call, changes nothing, and is tried again by the next call", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const earlier = new MemorySession({ initialItems: [user("one")] });
  let isDown = true;
  const flaky = Object.assign(Object.create(earlier), {
    getItems: async () => {
      if (isDown) throw new Error("the old database is down");
      return earlier.getItems();
    },
  });
  const session = openaiSession(store, "s", { importFrom: flaky });
  await expect(session.addItems([user("two")])).rejects.toThrow("the old database is down");
  expect(await store.sessionExists("s")).toBe(false);
  isDown = false;
  await session.addItems([user("two")]);
  expect(await session.getItems()).toEqual([user("one"), user("two")]);
});

test.each(storeKinds)(
  "metadata from the context of a run is stored with its items: $name",
  async ({ open }) => {
    const store = await open();
    const session = openaiSession<{ readonly userId: string }>(store, "s", {
      metadata: ({ userId }) => ({ userId }),
    });
    await run(askingAgent("q"), "question q", { session, context: { userId: "u7" } });
    const messages = (await store.getSession("s"))?.messages ?? [];
    expect(messages.map((message) => message.metadata)).toEqual(messages.map(() => ({ userId: "u7" })));
    expect(await session.getItems()).not.toContainEqual(
      expect.objectContaining({ metadata: expect.anything() }),
    );
  },
);

test("messages that were not written by the SDK become items", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  await store.addMessage("s", [
    { role: "system", content: "Be brief." },
    { role: "user", content: "1 + 2?" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me see." },
        { type: "tool-call", toolCallId: "c1", toolName: "add", input: { a: 1, b: 2 } },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "c1", toolName: "add", output: { type: "json", value: 3 } },
      ],
    },
  ]);
  const session = openaiSession(store, "s");
  const call = { type: "function_call", callId: "c1", name: "add", arguments: '{"a":1,"b":2}' };
  const result = { type: "function_call_result", callId: "c1", output: { type: "text", text: "3" } };
  expect(await session.getItems()).toMatchObject([
    { role: "system", content: "Be brief." },
    { role: "user", content: "1 + 2?" },
    { role: "assistant", content: [{ type: "output_text", text: "Let me see." }] },
    call,
    result,
  ]);
  expect(await session.getItems(2)).toMatchObject([call, result]);
  expect(await session.popItem()).toMatchObject(result);
  expect(await session.popItem()).toMatchObject(call);
  expect(await session.getItems(1)).toMatchObject([{ content: [{ text: "Let me see." }] }]);
  const model = new ScriptedModel([modelResponder(() => [assistantMessage("Three.")])]);
  await run(new Agent({ name: "a", model, tools: [adder()] }), "Well?", { session });
  expect(await session.getItems()).toHaveLength(5);
});
