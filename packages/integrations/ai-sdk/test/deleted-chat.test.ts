import { Gate, storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { createChatHandlers } from "../src/index.js";
import { chatRequest, chunksIn, postRequest, stopAnswer, textIn } from "./requests.js";

const begin = async (open: (typeof storeKinds)[number]["open"]) => {
  const store = await open();
  const errors: unknown[] = [];
  const gate = new Gate();
  const handlers = createChatHandlers({
    store,
    authorize: "public",
    checkpoint: { everyMs: 5 },
    onError: (error) => {
      errors.push(error);
      return "Told.";
    },
    async *respond({ signal }) {
      yield { type: "text-start", id: "1" };
      yield { type: "text-delta", id: "1", delta: "One, " };
      await Promise.race([gate.passed, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      signal.throwIfAborted();
      yield { type: "text-delta", id: "1", delta: "two." };
    },
  });
  const response = await handlers.post(postRequest("Count."));
  await gate.reached;
  return { store, handlers, errors, response };
};

test.each(storeKinds)(
  "a chat that is deleted while its answer is written stays deleted, and `onError` gets TURN_LOST: $name",
  async ({ open }) => {
    const { store, errors, response } = await begin(open);
    expect(await store.deleteSession("c")).toBe(true);
    const chunks = await chunksIn(response);
    expect(chunks.at(-1)).toEqual({ type: "error", errorText: "Told." });
    expect(errors).toMatchObject([{ code: "TURN_LOST" }]);
    expect(await store.sessionExists("c")).toBe(false);
  },
);

test.each(storeKinds)(
  "a chat that is stopped and then deleted is no error of anybody: $name",
  async ({ open }) => {
    const { store, handlers, errors, response } = await begin(open);
    await stopAnswer(handlers);
    expect(await store.deleteSession("c")).toBe(true);
    const chunks = await chunksIn(response);
    expect([textIn(chunks), chunks.at(-1)?.type]).toEqual(["One, ", "abort"]);
    expect(errors).toEqual([]);
    expect((await handlers.resume(chatRequest(), "c")).status).toBe(204);
    expect(await store.sessionExists("c")).toBe(false);
  },
);
