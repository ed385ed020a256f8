import { convertToModelMessages, streamText } from "ai";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { createChatHandlers, loadMessages } from "../src/index.js";
import { Page } from "./page.js";
import { saying, scriptedModel } from "./scripted-model.mjs";

test.each(storeKinds)(
  "an answer may be the response of the SDK, and is stored as any other: $name",
  async ({ open }) => {
    const store = await open();
    const model = scriptedModel([saying("Once upon a time.")]);
    const handlers = createChatHandlers({
      store,
      authorize: "public",
      respond: async ({ messages }) =>
        streamText({ model, messages: await convertToModelMessages(messages) }).toUIMessageStreamResponse(),
    });
    const page = new Page(handlers, "c");
    await page.sendMessage({ text: "A story, please." });
    expect(page.texts).toEqual(["A story, please.", "Once upon a time."]);
    expect(await loadMessages(store, "c")).toMatchObject([{ role: "user" }, { role: "assistant" }]);
  },
);

const [first] = storeKinds;

test.each([
  ["without an answer", () => new Response("no", { status: 500 }), "without an answer: 500"],
  ["of something else", () => new Response('data: {"type":"of no kind"}\n\n'), "Type validation failed"],
])("a response %s fails the answer, and leaves the question", async (_name, respond, told) => {
  const store = await first?.open();
  if (store === undefined) throw new Error("there is a store");
  const onError = (error: unknown): string => (error instanceof Error ? error.message : "?");
  const page = new Page(createChatHandlers({ store, authorize: "public", respond, onError }), "c");
  await page.sendMessage({ text: "Hi." });
  expect(page.error?.message).toContain(told);
  expect(await loadMessages(store, "c")).toMatchObject([{ role: "user" }]);
});
