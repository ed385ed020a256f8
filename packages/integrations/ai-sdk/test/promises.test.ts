import { type SessionStore, systemClock, type Turn, textOf, toolLinksOf } from "@sessions/protocol";
import { streamText, type UIMessage, type UIMessageChunk } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { failingStore, Gate, memoryPlace, storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { createChatHandlers, loadChat, loadMessages, saveMessages } from "../src/index.js";
import { chatRequest, chunksIn, postRequest } from "./requests.js";

const TEXT: readonly UIMessageChunk[] = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Hello." },
  { type: "text-end", id: "1" },
];
const TOOL: readonly UIMessageChunk[] = [
  { type: "tool-input-available", toolCallId: "c1", toolName: "clock", input: {} },
  { type: "tool-output-available", toolCallId: "c1", output: 12 },
];

test("a question and the draft of its answer are one commit, each tool call and result is one, and so is the end", async () => {
  const { store, calls } = failingStore();
  const { post } = createChatHandlers({
    store,
    authorize: "public",
    checkpoint: { everyMs: 1_000_000, everyChars: 1_000_000 },
    async *respond() {
      yield* [...TEXT, ...TOOL, ...TEXT];
    },
  });
  expect((await chunksIn(await post(postRequest("Hi.")))).at(-1)).toEqual({ type: "finish" });
  expect(calls.filter((name) => name !== "read")).toEqual([
    "turn.begin",
    "append+append",
    "extend",
    "extend",
    "update+turn.end",
  ]);
});

test("a growing answer is saved four times a second, and sent to the page at once", async () => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  const delays: number[] = [];
  const after: typeof systemClock.after = (ms, action, ...rest) => {
    delays.push(ms);
    return systemClock.after(ms, action, ...rest);
  };
  const { post } = createChatHandlers({
    store,
    authorize: "public",
    clock: { ...systemClock, after },
    async *respond() {
      yield* TEXT;
      await gate.passed;
    },
  });
  const response = await post(postRequest("Hi."));
  await expect.poll(async () => JSON.stringify((await store.getSession("c"))?.messages)).toContain("Hello.");
  expect(delays).toContain(250);
  gate.open();
  await response.text();
});

test("waitUntil gets a promise that settles after the answer is stored, even if the page has disconnected", async () => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  const works: Promise<void>[] = [];
  const { post } = createChatHandlers({
    store,
    authorize: "public",
    waitUntil: (work) => works.push(work),
    async *respond() {
      yield* TEXT;
      await gate.passed;
    },
  });
  const response = await post(postRequest("Hi."));
  await gate.reached;
  await response.body?.cancel();
  gate.open();
  await Promise.all(works);
  expect(works).toHaveLength(1);
  const session = await store.getSession("c");
  expect([session?.lastTurn?.outcome, session?.messages.map(textOf)]).toEqual([
    "completed",
    ["Hi.", "Hello."],
  ]);
});

test("a model that hangs is ended by a timeout that respond passes to it", async () => {
  const store = await memoryPlace().open();
  const model = new MockLanguageModelV3({
    doStream: ({ abortSignal }) =>
      new Promise((_, reject) => {
        abortSignal?.addEventListener("abort", () => reject(new DOMException("too slow", "TimeoutError")));
      }),
  });
  const { post } = createChatHandlers({
    store,
    authorize: "public",
    respond: ({ signal }) =>
      streamText({
        model,
        prompt: "Hi.",
        abortSignal: AbortSignal.any([signal, AbortSignal.timeout(1)]),
        onError: () => undefined,
      }),
  });
  const last = (await chunksIn(await post(postRequest("Hi.")))).at(-1);
  expect(["abort", "error"]).toContain(last?.type);
  const session = await store.getSession("c");
  expect([session?.turn, session?.messages.map(textOf)]).toEqual([undefined, ["Hi."]]);
});

test("only the last message of a request is read if the chat is stored, and all messages if it is not", async () => {
  const store = await memoryPlace().open();
  const seen: string[][] = [];
  const { post } = createChatHandlers({
    store,
    authorize: "public",
    async *respond({ messages }) {
      seen.push(messages.map(({ id, parts }) => `${id} ${JSON.stringify(parts)}`.slice(0, 40)));
      yield* TEXT;
    },
  });
  const ask = async (...texts: readonly string[]): Promise<void> => {
    const messages = texts.map((text, index) => ({
      id: `m${index}`,
      role: index % 2 === 0 ? "user" : "assistant",
      parts: [{ type: "text", text }],
    }));
    const init = { method: "POST", headers: { "content-type": "application/json" } };
    const body = JSON.stringify({ id: "c", messages });
    await (await post(new Request("http://localhost/api/chat", { ...init, body }))).text();
  };
  await ask("One?", "One.", "Two?");
  expect(seen[0]).toMatchObject([/One\?/, /One\./, /Two\?/].map((text) => expect.stringMatching(text)));
  await ask("changed", "changed", "changed", "changed", "Three?");
  expect(seen[1]).toHaveLength(5);
  expect(seen[1]?.slice(0, 3)).toEqual(seen[0]);
  expect(JSON.stringify(seen[1])).not.toContain("changed");
});

test("load, resume and stop find the id of a chat in the path, or take it as their second argument", async () => {
  const store = await memoryPlace().open();
  const { post, load, resume, stop } = createChatHandlers({
    store,
    authorize: "public",
    async *respond() {
      yield* TEXT;
    },
  });
  await (await post(postRequest("Hi."))).text();
  const stored = JSON.parse(JSON.stringify(await loadChat(store, "c")));
  expect(stored).toMatchObject({ messages: [{}, {}], isAnswering: false });
  const elsewhere = (path: string): Request => new Request(`http://localhost/elsewhere/${path}`);
  expect(await (await load(chatRequest())).json()).toEqual(stored);
  expect(await (await load(elsewhere("d"), "c")).json()).toEqual(stored);
  const stream = new Request("http://localhost/api/chat/c/stream?since=0");
  for (const response of [await resume(stream), await resume(elsewhere("d?since=0"), "c")])
    expect((await chunksIn(response)).at(-1)).toEqual({ type: "finish" });
  expect(await (await stop(chatRequest())).json()).toEqual({ stopped: false });
  const { turn } = await begun(store);
  expect(await (await stop(elsewhere("c"), "d")).json()).toEqual({ stopped: false });
  const stopping = stop(elsewhere("d"), "c");
  await expect.poll(() => turn.signal.aborted).toBe(true);
  await turn.complete();
  expect(await (await stopping).json()).toEqual({ stopped: true });
});

async function begun(store: SessionStore): Promise<{ readonly turn: Turn }> {
  const result = await store.beginTurn("c");
  if (result.status !== "begun") throw new Error("the turn did not begin");
  return result;
}

test.each(storeKinds)(
  "the messages of a chat are messages of its session to everything else: $name",
  async ({ open }) => {
    const store = await open();
    const messages: UIMessage[] = [
      { id: "m1", role: "user", parts: [{ type: "text", text: "When?" }], metadata: { from: "test" } },
      {
        id: "m2",
        role: "assistant",
        parts: [
          { type: "tool-clock", toolCallId: "c1", state: "output-available", input: {}, output: 12 },
          { type: "text", text: "At twelve." },
        ],
      },
    ];
    await saveMessages(store, "c", messages);
    const stored = (await store.getSession("c"))?.messages ?? [];
    expect(stored.map(textOf)).toEqual(["When?", "At twelve."]);
    expect(stored.map(({ metadata }) => metadata)).toEqual([{ from: "test" }, undefined]);
    expect(stored.map((message) => toolLinksOf(message).calls)).toEqual([[], ["c1"]]);
    expect((await store.getChatHistory("c", { limit: 1 })).map(({ id }) => id)).toEqual(["m2"]);
    const { messages: sent, tokens } = await store.getContext("c", { maxTokens: 1000 });
    expect([sent.map(({ id }) => id), tokens > 0]).toEqual([["m1", "m2"], true]);
    const fork = await store.forkSession("c", { newId: "fork" });
    expect(await loadMessages(store, fork.sessionId)).toEqual(messages);
    await store.importSession(await store.exportSession("c"), { newId: "copy" });
    expect(await loadMessages(store, "copy")).toEqual(messages);
  },
);
