import type { SessionStore } from "@sessions/protocol";
import type { UIMessageChunk } from "ai";
import { hostileFunctions, memoryPlace, refuseUnhandledRejections } from "test-tools";
import { describe, expect, test } from "vitest";
import { type ChatHandlers, type ChatHandlersOptions, createChatHandlers, loadChat } from "../src/index.js";
import { chatRequest, chunksIn, postRequest, stopAnswer, textIn } from "./requests.js";

refuseUnhandledRejections();

const HOSTILE = hostileFunctions();
const ANSWER: readonly UIMessageChunk[] = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Hello." },
  { type: "text-end", id: "1" },
];

type Options = Partial<ChatHandlersOptions>;

function handlersOn(store: SessionStore, options: Options = {}): ChatHandlers {
  return createChatHandlers({
    store,
    authorize: "public",
    ttlMs: 5000,
    onError: () => "It failed.",
    async *respond() {
      yield* ANSWER;
    },
    ...options,
  });
}

/** The options as a caller without types may give them. */
function untyped(options: Record<string, unknown>): Options {
  return options;
}

/** Whatever the functions did: the chat is free, and answers the next question. */
async function expectNextTurnRuns(store: SessionStore): Promise<void> {
  const response = await handlersOn(store).post(postRequest("And now?", "m2"));
  const chunks = await chunksIn(response);
  expect([textIn(chunks), chunks.at(-1)]).toEqual(["Hello.", { type: "finish" }]);
  expect((await store.getSession("c"))?.lastTurn?.outcome).toBe("completed");
  expect(await loadChat(store, "c")).toMatchObject({ isAnswering: false });
}

describe.each(["authorize", "sessionIdOf"])("%s", (name) => {
  test.each(HOSTILE)(
    "a function that $how is a refusal on every route, and the store is not used",
    async (hostile) => {
      const store = await memoryPlace().open();
      const handlers = handlersOn(store, untyped({ [name]: hostile.call }));
      const gone = new AbortController();
      const asked = [
        handlers.post(postRequest("Hi.", "m1", gone.signal)),
        handlers.resume(chatRequest(gone.signal), "c"),
        handlers.stop(chatRequest(gone.signal), "c"),
        handlers.load(chatRequest(gone.signal), "c"),
      ];
      if (hostile.hangs) gone.abort();
      const refused = name === "authorize" && hostile.how.startsWith("returns") ? [403, 500] : [500];
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      for (const status of statuses) expect(hostile.hangs ? [499] : refused).toContain(status);
      expect(await store.sessionExists("c")).toBe(false);
      await expectNextTurnRuns(store);
    },
  );
});

/** The functions without which there is no answer, each replaced by a hostile one. */
const ANSWERING: readonly (readonly [string, (call: () => unknown) => Record<string, unknown>])[] = [
  ["respond", (call) => ({ respond: call })],
  ["toUIMessageStream", (call) => ({ respond: () => ({ toUIMessageStream: call }) })],
  ["the stream's iterator", (call) => ({ respond: () => ({ [Symbol.asyncIterator]: call }) })],
  ["next", (call) => ({ respond: () => ({ [Symbol.asyncIterator]: () => ({ next: call }) }) })],
  ["a stream's pull", (call) => ({ respond: () => new ReadableStream({ pull: pullOf(call) }) })],
];

/** Once it was called there is nothing to come. */
function pullOf(call: () => unknown): (controller: ReadableStreamDefaultController) => Promise<void> {
  return async (controller) => {
    controller.enqueue(await call());
  };
}

describe.each(ANSWERING)("%s", (_name, options) => {
  test.each(HOSTILE)("a function that $how fails the answer, and the page gets an error", async (hostile) => {
    const store = await memoryPlace().open();
    const handlers = handlersOn(store, untyped(options(hostile.call)));
    const asked = handlers.post(postRequest("Hi."));
    const [response] = await Promise.all([asked, hostile.hangs ? stopAnswer(handlersOn(store)) : undefined]);
    const last = (await chunksIn(response)).at(-1);
    expect([response.status, last]).toEqual([
      200,
      hostile.hangs ? { type: "abort" } : { type: "error", errorText: "It failed." },
    ]);
    const session = await store.getSession("c");
    expect(session?.turn).toBeUndefined();
    expect(session?.lastTurn?.outcome).toBe(hostile.hangs ? "interrupted" : "failed");
    expect(session?.messages.map(({ role }) => role)).toEqual(["user"]);
    await expectNextTurnRuns(store);
  });
});

describe("callbacks", () => {
  test.each(HOSTILE)("a waitUntil that $how changes no answer", async ({ call }) => {
    const store = await memoryPlace().open();
    const chunks = await chunksIn(
      await handlersOn(store, untyped({ waitUntil: call })).post(postRequest("Hi.")),
    );
    expect([textIn(chunks), chunks.at(-1)]).toEqual(["Hello.", { type: "finish" }]);
    expect((await store.getSession("c"))?.lastTurn?.outcome).toBe("completed");
    await expectNextTurnRuns(store);
  });

  test.each(HOSTILE)("an onError that $how does not hide the error of a model", async ({ call }) => {
    const store = await memoryPlace().open();
    const respond = (): never => {
      throw new Error("the model is down");
    };
    const chunks = await chunksIn(
      await handlersOn(store, untyped({ respond, onError: call })).post(postRequest("Hi.")),
    );
    expect(chunks.at(-1)).toEqual({ type: "error", errorText: "An error occurred." });
    expect((await store.getSession("c"))?.lastTurn).toMatchObject({ outcome: "failed" });
    await expectNextTurnRuns(store);
  });

  test.each(HOSTILE)("an onError that $how does not change a refusal", async ({ call }) => {
    const store = await memoryPlace().open();
    const authorize = (): never => {
      throw new Error("no users today");
    };
    const response = await handlersOn(store, untyped({ authorize, onError: call })).post(postRequest("Hi."));
    expect([response.status, await response.text()]).toEqual([500, "An error occurred."]);
  });

  test.each(HOSTILE)("a stream whose return() $how fails with its own error", async (hostile) => {
    const store = await memoryPlace().open();
    const chunks: UIMessageChunk[] = [...ANSWER, { type: "error", errorText: "No more." }];
    let returned = 0;
    const stream = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: chunks.shift() }),
        return: () => {
          returned++;
          return hostile.call();
        },
      }),
    };
    const told = await chunksIn(
      await handlersOn(store, untyped({ respond: () => stream })).post(postRequest("Hi.")),
    );
    expect(told.at(-1)).toEqual({ type: "error", errorText: "No more." });
    await expect.poll(() => returned).toBe(1);
    expect((await store.getSession("c"))?.lastTurn).toMatchObject({ outcome: "failed", error: "No more." });
    expect((await loadChat(store, "c")).messages).toMatchObject([{}, { parts: [{ text: "Hello." }] }]);
    await expectNextTurnRuns(store);
  });
});
