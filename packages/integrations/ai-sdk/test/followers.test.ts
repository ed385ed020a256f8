import type { UIMessageChunk } from "ai";
import { Gate, memoryPlace, OtherProcess, sharedKinds, sharedPlace, withTestCleanup } from "test-tools";
import { expect, test, vi } from "vitest";
import { createChatHandlers, loadChat } from "../src/index.js";
import { Page, textOfMessage } from "./page.js";
import { chatRequest, chunksIn, postRequest } from "./requests.js";

const HELLO: readonly UIMessageChunk[] = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Hello." },
];
const TRANSIENT: UIMessageChunk = { type: "data-progress", data: "half of it", transient: true };

/** Handlers whose model says this, and then waits at a gate. */
async function gatedChat(chunks: readonly UIMessageChunk[], checkpoint: { everyMs: number }) {
  const store = await memoryPlace().open();
  const gate = new Gate();
  const signals: AbortSignal[] = [];
  const handlers = createChatHandlers({
    store,
    authorize: "public",
    checkpoint,
    async *respond({ signal }) {
      signals.push(signal);
      yield* chunks;
      await gate.passed;
    },
  });
  return { store, gate, handlers, signals };
}

/** Reads a response until it has said something. */
async function readUntil(response: Response, text: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes(text)) {
    const next = await reader?.read();
    if (next === undefined || next.done) throw new Error(`the response ended with ${said}`);
    said += next.value;
  }
  return said;
}

test("the text of the model reaches the page as it comes, before it is saved", async () => {
  const { store, gate, handlers } = await gatedChat(HELLO, { everyMs: 1_000_000 });
  const response = await handlers.post(postRequest("Hi."));
  await readUntil(response, "Hello.");
  expect((await store.getSession("c"))?.messages[1]).toMatchObject({ status: "partial", content: [] });
  gate.open();
  await expect.poll(async () => (await loadChat(store, "c")).isAnswering).toBe(false);
});

test("transient data goes only to the page that asked", async () => {
  const { store, gate, handlers } = await gatedChat([TRANSIENT, ...HELLO], { everyMs: 5 });
  const asked = await handlers.post(postRequest("Hi."));
  await gate.reached;
  const followed = chunksIn(await handlers.resume(chatRequest(), "c"));
  gate.open();
  expect(await chunksIn(asked)).toContainEqual(TRANSIENT);
  const told = await followed;
  expect(told.at(-1)).toEqual({ type: "finish" });
  expect(JSON.stringify(told)).toContain("Hello.");
  expect(JSON.stringify([told, await loadChat(store, "c")])).not.toContain("half of it");
});

test("the signal of respond aborts when the answer is stopped, and not when its page disconnects", async () => {
  const { gate, handlers, signals } = await gatedChat(HELLO, { everyMs: 5 });
  const response = await handlers.post(postRequest("Hi."));
  await gate.reached;
  await response.body?.cancel();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await handlers.stop(chatRequest(), "c");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test.concurrent.for(sharedKinds)(
  "an answer of another process can be stopped, and its text so far is kept: %s",
  withTestCleanup(async (kind) => {
    const place = await sharedPlace(kind);
    const producer = new OtherProcess(new URL("./chat-process.mjs", import.meta.url), {
      place: place.where,
      text: "Once upon a time there was a keeper.",
      holdAt: "keeper.",
      ttlMs: 30_000,
    });
    await producer.until((line) => "holds" in line);
    const store = await place.open();
    const respond = (): never => {
      throw new Error("nobody is asked here");
    };
    const { stop, resume } = createChatHandlers({ store, authorize: "public", respond });
    const follower = new Page({ post: respond, resume, stop, load: respond }, "c");
    const following = follower.resumeStream();
    await vi.waitFor(() => expect(follower.texts.at(-1)).toContain("was a "), { timeout: 30_000 });
    const response = await stop(new Request("http://localhost/api/chat/c", { method: "DELETE" }));
    expect(await response.json()).toEqual({ stopped: true });
    await following;
    const session = await store.getSession("c");
    expect(session?.messages[1]).toMatchObject({ status: "interrupted" });
    const chat = await loadChat(store, "c");
    expect(chat.messages.map(textOfMessage)).toEqual(["A story, please.", "Once upon a time there was a "]);
    producer.writeLine("go on");
    await producer.until((line) => "done" in line);
    await producer.end();
  }),
);
