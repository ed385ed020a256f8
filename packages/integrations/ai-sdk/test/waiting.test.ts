import type { SessionStore } from "@sessions/protocol";
import type { UIMessageChunk } from "ai";
import { Gate, memoryPlace, storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { type Answer, type ChatHandlers, createChatHandlers, loadChat, loadMessages } from "../src/index.js";
import { textOfMessage } from "./page.js";
import { chunksIn, postRequest, textIn } from "./requests.js";

const TTL_MS = 300;

async function* saying(text: string): AsyncGenerator<UIMessageChunk> {
  yield { type: "text-start", id: "1" };
  yield { type: "text-delta", id: "1", delta: text };
  yield { type: "text-end", id: "1" };
}

/** Handlers whose first answer is this one. */
function handlersOn(store: SessionStore, first: () => Answer, ttlMs?: number): ChatHandlers {
  let asked = 0;
  return createChatHandlers({
    store,
    authorize: "public",
    respond: () => (asked++ === 0 ? first() : saying("Hello.")),
    ttlMs,
  });
}

function sent(text: string, more: object): Request {
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text }] }];
  return new Request("http://localhost/api/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "c", messages, ...more }),
  });
}

const ENDS: readonly (readonly [what: string, request: () => Request, text: string])[] = [
  ["an edit", () => sent("Hello?", { messageId: "m1" }), "Hello?"],
  ["a regeneration", () => sent("Hi.", { trigger: "regenerate-message" }), "Hi."],
];

test.each(ENDS)(
  "a model that hangs and ignores its signal has no timeout, and is ended by %s",
  async (_what, request, text) => {
    const store = await memoryPlace().open();
    const hanging = (): Answer => new ReadableStream({ pull: () => new Promise(() => undefined) });
    const { post } = handlersOn(store, hanging, TTL_MS);
    const asked = await post(postRequest("Hi."));
    const expiresAt = async (): Promise<number> => (await store.getSession("c"))?.turn?.expiresAt ?? 0;
    const first = await expiresAt();
    await expect.poll(expiresAt).toBeGreaterThan(first + 3 * TTL_MS);
    expect(await loadChat(store, "c")).toMatchObject({ isAnswering: true });
    expect(textIn(await chunksIn(await post(request())))).toBe("Hello.");
    expect((await chunksIn(asked)).at(-1)).toEqual({ type: "abort" });
    expect((await loadMessages(store, "c")).map(textOfMessage)).toEqual([text, "Hello."]);
  },
);

test.each(storeKinds)(
  "messages that come while an answer is written are answered in the order of their arrival: $name",
  async ({ place: newPlace }) => {
    const place = await newPlace();
    const store = await place.open();
    const gate = new Gate();
    async function* gated(): AsyncGenerator<UIMessageChunk> {
      await gate.passed;
      yield* saying("Hello.");
    }
    const responses = [handlersOn(store, gated).post(postRequest("0", "m0"))];
    await gate.reached;
    for (const n of [1, 2, 3]) {
      const elsewhere = handlersOn(await place.open(), () => saying("Hello."));
      responses.push(elsewhere.post(postRequest(`${n}`, `m${n}`)));
      await expect.poll(async () => (await store.getSession("c"))?.turn?.waiting).toBe(n);
    }
    gate.open();
    for (const response of responses) await (await response).text();
    const texts = (await loadMessages(store, "c")).map(textOfMessage);
    expect(texts).toEqual(["0", "1", "2", "3"].flatMap((text) => [text, "Hello."]));
  },
);
