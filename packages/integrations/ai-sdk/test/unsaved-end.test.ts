import type { SessionStore } from "@sessions/protocol";
import type { UIMessage, UIMessageChunk } from "ai";
import { failingStore, memoryPlace, refuseUnhandledRejections } from "test-tools";
import { expect, test } from "vitest";
import { type ChatHandlers, type ChatHandlersOptions, createChatHandlers, loadChat } from "../src/index.js";
import { chunksIn, postRequest, textIn } from "./requests.js";

refuseUnhandledRejections();

const MIB = 1024 * 1024;

function handlersOn(
  store: SessionStore,
  chunks: readonly unknown[],
  options: Partial<ChatHandlersOptions> = {},
): ChatHandlers {
  return createChatHandlers({
    store,
    authorize: "public",
    ttlMs: 3000,
    onError: () => "It failed.",
    respond: () => streamOf(chunks),
    ...options,
  });
}

async function* streamOf(chunks: readonly unknown[]): AsyncGenerator<UIMessageChunk> {
  for (const chunk of chunks) yield JSON.parse(JSON.stringify(chunk));
}

const delta = (text: string): UIMessageChunk => ({ type: "text-delta", id: "1", delta: text });
const HELLO = [{ type: "text-start", id: "1" }, delta("Hello."), { type: "text-end", id: "1" }] as const;

/** The chat is free, within its lease at the latest, and answers the next question. */
async function expectNextTurnRuns(store: SessionStore): Promise<void> {
  const chunks = await chunksIn(await handlersOn(store, HELLO).post(postRequest("And now?", "m2")));
  expect([textIn(chunks), chunks.at(-1)]).toEqual(["Hello.", { type: "finish" }]);
  expect((await loadChat(store, "c")).messages.at(-1)).toMatchObject({ parts: [{ text: "Hello." }] });
}

test("an answer whose end cannot be saved is reported as failed, and blocks its chat no longer than its lease", async () => {
  const { calls: usual, store: counting } = failingStore();
  await (await handlersOn(counting, HELLO).post(postRequest("Hi."))).text();
  const call = usual.findIndex((name) => name.includes("turn.end"));
  const fault = {
    call,
    through: Number.POSITIVE_INFINITY,
    when: "before",
    code: "STORE_UNAVAILABLE",
  } as const;
  const { store, sound, calls } = failingStore(fault);
  const chunks = await chunksIn(await handlersOn(store, HELLO).post(postRequest("Hi.")));
  expect(chunks.at(-1)).toEqual({ type: "error", errorText: "It failed." });
  expect(calls.length).toBeGreaterThan(call + 1);
  await expectNextTurnRuns(sound);
});

test.each<[string, readonly unknown[], string]>([
  [
    "a delta of a text that never began",
    [...HELLO, { type: "text-delta", id: "2", delta: "lost" }],
    "Hello.",
  ],
  ["the end of a text that never began", [...HELLO, { type: "text-end", id: "2" }], "Hello."],
  [
    "an output of a call that was never made",
    [...HELLO, { type: "tool-output-available", toolCallId: "?", output: 1 }],
    "Hello.",
  ],
])("a stream with %s fails its answer and keeps what came before", async (_what, chunks, kept) => {
  const store = await memoryPlace().open();
  const told = await chunksIn(await handlersOn(store, chunks).post(postRequest("Hi.")));
  expect(told.at(-1)).toEqual({ type: "error", errorText: "It failed." });
  const session = await store.getSession("c");
  expect([session?.turn, session?.lastTurn?.outcome]).toEqual([undefined, "failed"]);
  const chat = await loadChat(store, "c");
  expect(chat.messages.map(textOf)).toEqual(["Hi.", kept]);
  expect(chat.cutOff).toMatchObject({ error: "It failed." });
  await expectNextTurnRuns(store);
});

test("an answer with a part that the store refuses keeps the parts before it", async () => {
  const store = await memoryPlace().open();
  const chunks = [
    HELLO[0],
    delta("Once "),
    delta("upon "),
    delta("a "),
    delta("x".repeat(9 * MIB)),
    delta("time."),
  ];
  const told = await chunksIn(await handlersOn(store, chunks).post(postRequest("Hi.")));
  expect(told.at(-1)).toEqual({ type: "error", errorText: "It failed." });
  expect((await store.getSession("c"))?.lastTurn?.outcome).toBe("failed");
  expect((await loadChat(store, "c")).messages.map(textOf)).toEqual(["Hi.", "Once upon a "]);
  await expectNextTurnRuns(store);
});

test("an answer that is larger than a message may be is kept as far as it was saved, and the chat goes on", async () => {
  const store = await memoryPlace().open();
  const file = (name: string): UIMessageChunk => ({
    type: "file",
    mediaType: "image/png",
    url: `data:image/png;base64,${name.repeat(5 * MIB)}`,
  });
  const step = { type: "tool-input-available", toolCallId: "c1", toolName: "t", input: {} };
  const result = { type: "tool-output-available", toolCallId: "c1", output: 1 };
  const chunks = [...HELLO, file("a"), step, result, file("b")];
  const told = await chunksIn(await handlersOn(store, chunks).post(postRequest("Hi.")));
  expect(told.at(-1)).toEqual({ type: "error", errorText: "It failed." });
  const [, answer] = (await loadChat(store, "c")).messages;
  expect(answer?.parts.map(({ type }) => type)).toEqual(["text", "file", "tool-t", "file"]);
  await expectNextTurnRuns(store);
});

test("a part that is not JSON reaches the page and the store as JSON", async () => {
  const store = await memoryPlace().open();
  const circle: { self?: unknown; big: bigint } = { big: 1n };
  circle.self = circle;
  const handlers = handlersOn(store, [], {
    async *respond() {
      yield { type: "data-seen", data: circle, transient: true };
      yield { type: "data-kept", data: circle };
      yield { type: "finish", messageMetadata: { circle } };
    },
  });
  const told = await chunksIn(await handlers.post(postRequest("Hi.")));
  const data = { big: "1", self: "[circular]" };
  expect(told).toMatchObject([
    { type: "start" },
    { type: "data-seen", data },
    { type: "data-kept", data },
    { type: "message-metadata" },
    { type: "finish", messageMetadata: { circle: data } },
  ]);
  expect((await loadChat(store, "c")).messages[1]).toMatchObject({ parts: [{ type: "data-kept", data }] });
});

test("a page that follows a failed answer gets the same error as the page that asked", async () => {
  const store = await memoryPlace().open();
  const handlers = handlersOn(store, [...HELLO, { type: "error", errorText: "No more." }]);
  const asked = await chunksIn(await handlers.post(postRequest("Hi.")));
  const request = new Request("http://localhost/api/chat/c/stream?since=0");
  const followed = await chunksIn(await handlers.resume(request));
  expect([asked.at(-1), followed.at(-1)]).toEqual(
    [0, 1].map(() => ({ type: "error", errorText: "No more." })),
  );
});

function textOf({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
