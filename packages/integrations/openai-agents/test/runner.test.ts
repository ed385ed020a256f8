import {
  Agent,
  type AgentInputItem,
  handoff,
  type MCPServer,
  setTracingDisabled,
  tool,
  Usage,
} from "@openai/agents";
import { assistantMessage, functionCall, modelStream, ScriptedModel } from "@openai/agents/testing";
import { type AgentEvent, createManagedAgent, followTurn } from "@sessions/managed-agent";
import { unansweredCalls } from "@sessions/protocol";
import { OtherProcess, sharedKinds, sharedPlace, storeKinds, withTestCleanup } from "test-tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { openaiAgentsRunner, openaiSession } from "../src/index.js";
import { adder, askingAgent } from "./scripted-agent.mjs";

setTracingDisabled(true);

const REASONING: AgentInputItem = {
  type: "reasoning",
  id: "rs_1",
  content: [{ type: "input_text", text: "Hm." }],
  providerData: { encrypted_content: "secret" },
};

/** Without what is undefined. */
const plain = (value: unknown): object => JSON.parse(JSON.stringify(value));

test.each(storeKinds)("a turn with parallel tools is streamed and stored: $name", async ({ open }) => {
  const store = await open();
  const agent = createManagedAgent({ store, config: {}, runner: openaiAgentsRunner(askingAgent("q")) });
  const events: AgentEvent[] = [];
  for await (const event of agent.stream("question q")) events.push(event);
  const told = events.map((event) => event.type).filter((type) => type !== "metadata" && type !== "usage");
  expect(told).toEqual(["tool-call", "tool-call", "tool-result", "tool-result", "text-delta"]);
  const session = await store.getSession(agent.sessionId);
  expect(session?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "assistant",
  ]);
  expect(session?.counters["turns"]).toBe(1);
});

test("reasoning and text become events of the turn, and usage is counted", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const usage = (inputTokens: number, outputTokens: number): Usage =>
    new Usage({ inputTokens, outputTokens });
  const model = new ScriptedModel([
    { output: [REASONING, functionCall("add", { a: 1, b: 2 }, { callId: "c1" })], usage: usage(3, 5) },
    { output: [assistantMessage("Three.")], usage: usage(20, 7) },
  ]);
  const runner = openaiAgentsRunner(new Agent({ name: "a", model, tools: [adder()] }));
  const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner });
  const events: AgentEvent[] = [];
  for await (const event of agent.stream("1 + 2?")) events.push(event);
  const said = events.filter(({ type }) => type === "reasoning-delta" || type === "text-delta");
  expect(said).toEqual([
    { type: "reasoning-delta", text: "Hm." },
    { type: "text-delta", text: "Three." },
  ]);
  const counters = { inputTokens: 23, outputTokens: 12, turns: 1 };
  expect((await store.getSession("s"))?.counters).toEqual(counters);
});

test.each(storeKinds)(
  "the model gets its own items back, ids and reasoning and all: $name",
  async ({ open }) => {
    const store = await open();
    const image = {
      type: "image",
      image: { data: new Uint8Array([1, 2, 255]), mediaType: "image/png" },
    } as const;
    const look = tool({
      name: "look",
      description: "Looks.",
      parameters: z.object({}),
      execute: async () => image,
    });
    const call = functionCall("look", {}, { callId: "c1", id: "fc_1" });
    const answer = assistantMessage("A cat.", { id: "msg_1" });
    const output = [[REASONING, call], [answer], [assistantMessage("Still a cat.")]];
    const model = new ScriptedModel(
      output.map((items) => items.map((item) => JSON.parse(JSON.stringify(item)))),
    );
    const runner = openaiAgentsRunner(new Agent({ name: "seer", model, tools: [look] }));
    for (const prompt of ["What is it?", "And now?"])
      await createManagedAgent({ store, sessionId: "s", config: {}, runner }).execute(prompt);
    const result = { type: "function_call_result", callId: "c1", name: "look" };
    const sent = [{ role: "user" }, REASONING, call, result, answer, { role: "user" }];
    expect(plain(model.lastCall?.request.input)).toMatchObject(plain(sent));
    const { messages = [] } = (await store.getSession("s")) ?? {};
    const kept = messages.flatMap(({ metadata }) => metadata?.["openai.items"] ?? []);
    expect(plain(kept)).toMatchObject(plain([REASONING, call, answer, { role: "assistant" }]));
    // The same history through the SDK's own interface.
    expect((await openaiSession(store, "s").getItems()).length).toBeGreaterThanOrEqual(5);
  },
);

test.each(storeKinds)(
  "after a handoff the next turn goes on with the other agent: $name",
  async ({ open }) => {
    const store = await open();
    const turns = (...texts: string[]) => new ScriptedModel(texts.map((text) => [assistantMessage(text)]));
    const make = () => {
      const expert = new Agent({ name: "expert", model: turns("I am the expert.") });
      const step = [functionCall("transfer_to_expert", {}, { callId: "h1" })];
      const first = new Agent({ name: "first", model: new ScriptedModel([step]), handoffs: [expert] });
      return createManagedAgent({ store, sessionId: "s", config: {}, runner: openaiAgentsRunner(first) });
    };
    for (const prompt of ["An expert, please.", "Still there?"])
      expect((await make().execute(prompt)).text).toBe("I am the expert.");
    expect(unansweredCalls((await store.getSession("s"))?.messages ?? [])).toEqual([]);
  },
);

test.each(storeKinds)("a turn that is stopped keeps the text so far: $name", async ({ open }) => {
  const store = await open();
  const model = new ScriptedModel([
    modelStream(
      (async function* () {
        yield { type: "output_text_delta", delta: "Well, " } as const;
        await new Promise(() => undefined);
      })(),
    ),
  ]);
  const runner = openaiAgentsRunner(new Agent({ name: "a", model }));
  const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner });
  const stream = agent.stream("Hello.");
  const stopped = expect(stream.result).rejects.toMatchObject({ code: "TURN_LOST", reason: "interrupted" });
  for await (const event of stream) if (event.type === "text-delta") break;
  await stopped;
  const messages = (await store.getSession("s"))?.messages ?? [];
  expect(messages).toMatchObject([{ role: "user" }, { content: "Well, ", status: "interrupted" }]);
  const next = createManagedAgent({
    store,
    sessionId: "s",
    config: {},
    runner: openaiAgentsRunner(askingAgent("q")),
  });
  expect((await next.execute("question q")).text).toBe("answer to q");
});

test("the session's config sets the tools, the model and the instructions", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const model = new ScriptedModel([[assistantMessage("Yes.")]]);
  const runner = openaiAgentsRunner(
    new Agent({ name: "a", model, tools: [adder()], instructions: "Be long." }),
  );
  const config = { instructions: "Be brief.", tools: [] };
  await createManagedAgent({ store, config, runner }).execute("Hello.");
  expect(model.firstCall?.request).toMatchObject({ systemInstructions: "Be brief.", tools: [] });
});

/** A server of tools, in this process. */
function toolServer(...names: readonly string[]): MCPServer {
  return {
    name: "server",
    cacheToolsList: false,
    connect: async () => undefined,
    close: async () => undefined,
    listTools: async () =>
      names.map((name) => ({
        name,
        inputSchema: { type: "object", properties: {}, required: [], additionalProperties: false },
      })),
    callTool: async () => [{ type: "text", text: "boom" }],
    invalidateToolsCache: async () => undefined,
  };
}

test("the tools of a session's config restrict also the tools of MCP servers and of agents that are handed over to", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const model = new ScriptedModel([[assistantMessage("I am the expert.")]]);
  const mcpServers = [toolServer("shell", "delete")];
  const expert = new Agent({ name: "expert", model, tools: [adder()], mcpServers });
  const specialist = new Agent({
    name: "specialist",
    model: new ScriptedModel([[functionCall("transfer_to_expert", {}, { callId: "h2" })]]),
    mcpServers: [toolServer("delete")],
  });
  const first = new Agent({
    name: "first",
    model: new ScriptedModel([[functionCall("transfer_to_specialist", {}, { callId: "h1" })]]),
    handoffs: [handoff(specialist)],
  });
  specialist.handoffs = [expert];
  expert.handoffs = [first];
  const runner = openaiAgentsRunner(first);
  const config = { tools: ["shell"] };
  await createManagedAgent({ store, config, runner }).execute("An expert, please.");
  expect(model.firstCall?.request.tools.map(({ name }) => name)).toEqual(["shell"]);
});

test("a tool that needs an approval fails the turn with an error that says what to do", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const danger = tool({
    name: "danger",
    description: "Dangerous.",
    parameters: z.object({}),
    needsApproval: true,
    execute: async () => "boom",
  });
  const model = new ScriptedModel([[functionCall("danger", {}, { callId: "c1" })]]);
  const runner = openaiAgentsRunner(new Agent({ name: "a", model, tools: [danger] }));
  const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner });
  await expect(agent.execute("Do it.")).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("openaiRuns"),
  });
  expect(unansweredCalls((await store.getSession("s"))?.messages ?? [])).toEqual([]);
});

test.concurrent.for(sharedKinds)(
  "a turn whose process is killed while a tool runs is reported as cut off, and another process runs it again: %s",
  withTestCleanup(async (kind) => {
    const place = await sharedPlace(kind);
    const killed = new OtherProcess(new URL("./held-turn.mjs", import.meta.url), {
      place: place.where,
      sessionId: "s",
    });
    await killed.until(
      ({ event }) =>
        JSON.stringify(event ?? "").includes('"tool-result"') ||
        JSON.stringify(event ?? "").includes("call-2"),
    );
    await killed.kill();
    const store = await place.open();
    const ends: unknown[] = [];
    for await (const event of followTurn(store, "s"))
      if (event.type === "turn-ended") ends.push(event.outcome);
    expect(ends).toEqual(["cut-off"]);

    const asked = askingAgent("again");
    const agent = createManagedAgent({ store, config: {}, runner: openaiAgentsRunner(asked) });
    const { cutOff } = await agent.resume("s");
    expect(cutOff).toMatchObject({ turnId: "t1", status: "expired", prompt: { content: "question held" } });
    const recovery = await agent.recover({ strategy: "retry" });
    expect(recovery?.result?.text).toBe("answer to again");
    const messages = (await store.getSession("s"))?.messages ?? [];
    expect(messages.filter(({ role }) => role === "user")).toHaveLength(1);
    expect(unansweredCalls(messages)).toEqual([]);
  }),
);
