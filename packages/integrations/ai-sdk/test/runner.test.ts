import { type AgentEvent, createManagedAgent, followTurn } from "@sessions/managed-agent";
import { unansweredCalls } from "@sessions/protocol";
import { streamText, tool } from "ai";
import { Gate, OtherProcess, sharedKinds, sharedPlace, storeKinds, withTestCleanup } from "test-tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { aiSdkRunner, createChatHandlers, loadMessages } from "../src/index.js";
import { Page, textOfMessage } from "./page.js";
import { calling, saying, scriptedModel } from "./scripted-model.mjs";

const tools = {
  add: tool({
    description: "Adds.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => {
      if (a < 0) throw new Error("too small");
      return { sum: a + b, at: new Date(0) };
    },
  }),
};
const CALLS = calling(["c1", "add", { a: 1, b: 2 }], ["c2", "add", { a: -1, b: 2 }]);
const THOUGHT = [
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: "Hm." },
  { type: "reasoning-end", id: "r", providerMetadata: { anthropic: { signature: "signed" } } },
];

test.each(storeKinds)(
  "a turn with parallel tools is streamed, stored and sent again: $name",
  async ({ open }) => {
    const store = await open();
    const model = scriptedModel([[...THOUGHT, ...CALLS], saying("Three, and an error."), saying("Bye.")]);
    const make = () =>
      createManagedAgent({
        store,
        sessionId: "s",
        config: { instructions: "Be brief." },
        runner: aiSdkRunner({ model, tools, temperature: 0.5 }),
      });
    const events: AgentEvent[] = [];
    for await (const event of make().stream("Add.")) events.push(event);
    const results = events.filter((event) => event.type === "tool-result");
    expect(results.toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))).toMatchObject([
      { toolCallId: "c1", output: { sum: 3, at: "1970-01-01T00:00:00.000Z" } },
      { toolCallId: "c2", output: "too small", isError: true },
    ]);
    const { text, usage } = await make().execute("Bye.");
    expect([text, usage]).toEqual(["Bye.", { inputTokens: 3, outputTokens: 7 }]);
    const session = await store.getSession("s");
    expect(session?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(session?.counters).toEqual({ inputTokens: 9, outputTokens: 21, turns: 2 });

    const sent = model.doStreamCalls.at(-1);
    expect(sent?.temperature).toBe(0.5);
    expect(sent?.prompt).toMatchObject([
      { role: "system", content: "Be brief." },
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "signed" } } },
          { type: "tool-call", toolCallId: "c1" },
          { type: "tool-call", toolCallId: "c2" },
        ],
      },
      { role: "tool" },
      { role: "assistant", content: [{ text: "Three, and an error." }] },
      { role: "user" },
    ]);
    expect((await loadMessages(store, "s")).map(textOfMessage).filter(Boolean)).toEqual([
      "Add.",
      "Three, and an error.",
      "Bye.",
      "Bye.",
    ]);
  },
);

test.each(storeKinds)(
  "a turn that is stopped, or whose model fails, keeps the text so far: $name",
  async ({ open }) => {
    const store = await open();
    let isDown = true;
    const model = scriptedModel([saying("Well, this is it.")], async ({ delta }) => {
      if (delta === "is " && isDown) throw new Error("the model is down");
    });
    const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner: aiSdkRunner({ model }) });
    await expect(agent.execute("Hi.")).rejects.toThrow("the model is down");
    expect((await agent.resume("s")).cutOff?.text).toBe("Well, this ");
    isDown = false;
    const recovery = await agent.recover({ strategy: "retry" });
    expect(recovery?.result?.text).toBe("Well, this is it.");

    const stream = agent.stream("Again.");
    for await (const event of stream) if (event.type === "text-delta") break;
    await expect(stream.result).rejects.toMatchObject({ code: "TURN_LOST", reason: "interrupted" });
    const last = (await store.getSession("s"))?.messages.at(-1);
    expect(last).toMatchObject({ role: "assistant", status: "interrupted" });
  },
);

test.concurrent.for(sharedKinds)(
  "a turn whose process is killed while a tool runs is reported as cut off, and another process runs it again: %s",
  withTestCleanup(async (kind) => {
    const place = await sharedPlace(kind);
    const killed = new OtherProcess(new URL("./held-turn.mjs", import.meta.url), {
      place: place.where,
      sessionId: "s",
    });
    await killed.until(({ event }) => JSON.stringify(event ?? "").includes('"c2"'));
    await killed.kill();
    const store = await place.open();
    const ends: unknown[] = [];
    for await (const event of followTurn(store, "s"))
      if (event.type === "turn-ended") ends.push(event.outcome);
    expect(ends).toEqual(["cut-off"]);

    const model = scriptedModel([calling(["c3", "add", { a: 1, b: 2 }]), saying("Three.")]);
    const agent = createManagedAgent({ store, config: {}, runner: aiSdkRunner({ model, tools }) });
    expect((await agent.resume("s")).cutOff).toMatchObject({ turnId: "t1", status: "expired" });
    expect((await agent.recover({ strategy: "retry" }))?.result?.text).toBe("Three.");
    const messages = (await store.getSession("s"))?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(unansweredCalls(messages)).toEqual([]);
  }),
);

test("the session's config restricts the tools, and every call has a result", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const model = scriptedModel([CALLS, saying("Sorry.")]);
  const agent = createManagedAgent({
    store,
    sessionId: "s",
    config: { tools: [] },
    runner: aiSdkRunner({ model, tools }),
  });
  await agent.execute("Add.");
  expect(model.doStreamCalls[0]?.tools ?? []).toEqual([]);
  expect(unansweredCalls((await store.getSession("s"))?.messages ?? [])).toEqual([]);
});

test("the draft of a chat that lost its turn is sent to the model as its text", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const gate = new Gate();
  const chatting = scriptedModel([saying("Once upon a time.")], async ({ delta }) => {
    if (delta === "time.") await gate.passed;
  });
  const respond = () => streamText({ model: chatting, prompt: "A story, please." });
  const page = new Page(
    createChatHandlers({ store, authorize: "public", respond, checkpoint: { everyMs: 5 } }),
    "c",
  );
  const asked = page.sendMessage({ text: "A story, please." });
  await gate.reached;
  await expect.poll(async () => (await store.getSession("c"))?.messages[1]?.content).not.toEqual([]);
  await store.interruptTurn("c", { force: true });
  gate.open();
  await asked;
  const model = scriptedModel([saying("Bye.")]);
  await createManagedAgent({ store, sessionId: "c", config: {}, runner: aiSdkRunner({ model }) }).execute(
    "Go on.",
  );
  const [, told] = model.doStreamCalls[0]?.prompt ?? [];
  expect(told).toMatchObject({ role: "assistant", content: [{ type: "text" }] });
  expect(JSON.stringify(told)).not.toContain("text-delta");
});

test.each(storeKinds)(
  "a message that was added while a tool ran is sent to the model after the tool's result: $name",
  async ({ open }) => {
    const store = await open();
    const toolCallId = "c1";
    await store.addMessage("s", [
      { role: "user", content: "1 + 2?" },
      { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName: "add", input: {} }] },
      { role: "user", content: "From elsewhere." },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId, toolName: "add", output: { type: "json", value: 3 } }],
      },
      { role: "assistant", content: "Three." },
    ]);
    const model = scriptedModel([saying("Yes.")]);
    const runner = aiSdkRunner({ model, tools });
    await createManagedAgent({ store, sessionId: "s", config: {}, runner }).execute("Sure?");
    const roles = model.doStreamCalls[0]?.prompt.map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "user", "assistant", "user"]);
  },
);
