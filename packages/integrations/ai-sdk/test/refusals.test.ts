import type { SessionStore } from "@sessions/protocol";
import { Gate, memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import { type ChatHandlers, type ChatHandlersOptions, createChatHandlers } from "../src/index.js";
import { chatRequest, postRequest } from "./requests.js";

function handlersOn(store: SessionStore, options: Partial<ChatHandlersOptions> = {}): ChatHandlers {
  return createChatHandlers({
    store,
    authorize: "public",
    async *respond() {
      yield { type: "text-start", id: "1" };
    },
    ...options,
  });
}

const refused = (): never => {
  throw new Error("no users today");
};

const plain = (): Request => new Request("http://localhost/api/chat", { method: "POST", body: "Hi." });

type Refusal = readonly [
  status: number,
  code: string,
  ask: (store: SessionStore) => Promise<Response> | Response,
];

const REFUSALS: readonly Refusal[] = [
  [400, "INVALID_ARGUMENT", (store) => handlersOn(store).post(postRequest("Hi.", ""))],
  [403, "FORBIDDEN", (store) => handlersOn(store, { authorize: () => null }).load(chatRequest())],
  [409, "TURN_BUSY", (store) => handlersOn(store, { waitMs: 1 }).post(postRequest("Me too.", "m2"))],
  [413, "TOO_LARGE", (store) => handlersOn(store, { maxBodyBytes: 5 }).post(postRequest("Hi."))],
  [415, "CONTENT_TYPE", (store) => handlersOn(store).post(plain())],
  [499, "ABORTED", (store) => handlersOn(store).post(postRequest("Hi.", "m1", AbortSignal.abort()))],
  [500, "INTERNAL", (store) => handlersOn(store, { authorize: refused }).load(chatRequest())],
];

test.each(REFUSALS)(
  "a refusal with the status %i has the code %s and a sentence",
  async (status, code, ask) => {
    const store = await memoryPlace().open();
    const gate = new Gate();
    const answering = await handlersOn(store, {
      async *respond() {
        yield { type: "text-start", id: "1" };
        await gate.passed;
      },
    }).post(postRequest("Hi."));
    await gate.reached;
    const response = await ask(store);
    expect([response.status, response.headers.get("x-session-error")]).toEqual([status, code]);
    expect(await response.text()).toMatch(/^\S[^\n]{10,200}\.$/);
    gate.open();
    await answering.text();
  },
);

test("a prompt whose history cannot be read leaves no draft", async () => {
  const store = await memoryPlace().open();
  // Another program stored a file whose type cannot become a text.
  const unreadable = { type: "file", mediaType: { toString: null }, url: "https://example.com/a" };
  await store.addMessage("c", { id: "m0", role: "assistant", content: [unreadable] });
  const response = await handlersOn(store).post(postRequest("Hi.", "m1"));
  expect([response.status, response.headers.get("x-session-error")]).toEqual([500, "INTERNAL"]);
  const session = await store.getSession("c");
  expect(session?.messages.map(({ id }) => id)).toEqual(["m0"]);
  expect(session?.turn).toBeUndefined();
});
