import { type SessionStore, textOf } from "@sessions/protocol";
import { convertToModelMessages, streamText } from "ai";
import { OtherProcess, sharedKinds, sharedPlace, withTestCleanup } from "test-tools";
import { expect, test, vi } from "vitest";
import { createChatHandlers, type LoadedChat, loadChat, loadMessages } from "../src/index.js";
import { Page, textOfMessage } from "./page.js";
import { saying, scriptedModel } from "./scripted-model.mjs";

const STORY = "Once upon a time there was a keeper who wrote one line every night.";

test.concurrent.for(sharedKinds)(
  "a page follows an answer of another process to its end: %s",
  withTestCleanup(async (kind) => {
    const { producer, store, page, resumed } = await followedAnswer(kind, 30_000);
    producer.writeLine("go on");
    await resumed;
    expect(page.texts).toEqual(["A story, please.", STORY]);
    await producer.until((line) => "done" in line);
    await producer.end();
    expect((await loadMessages(store, "c")).map(textOfMessage)).toEqual(page.texts);
  }),
);

test.concurrent.for(sharedKinds)(
  "a page gets the end of an answer whose process is killed, and nothing that was saved is lost: %s",
  withTestCleanup(async (kind) => {
    const { producer, store, handlers, page, resumed } = await followedAnswer(kind, 3000);
    await producer.kill();
    await resumed; // until the lease is over
    expect(page.status).toBe("error");
    expect(page.error?.message).toContain("cut off");
    expect(page.texts.at(-1)).toBe("Once upon a time there was a ");

    const request = new Request("http://localhost/api/chat/c/stream");
    expect((await handlers.resume(request)).status).toBe(204);
    const chat = await checkCutOff(store);
    expect(chat.cutOff?.messageId).toBe(page.messages[1]?.id);
    expect(chat.messages.map(textOfMessage)).toEqual(page.texts);

    // Another question leaves it as it is, and as a message that can be searched.
    const next = new Page(handlers, "c", chat.messages);
    await next.sendMessage({ text: "And now?" });
    expect(next.texts).toEqual(["A story, please.", "Once upon a time there was a ", "And now?", "Again."]);
    const session = await store.getSession("c");
    expect(session?.messages.map(textOf)).toEqual(next.texts);
    expect(session?.messages[1]?.status).toBe("interrupted");
    // Asked again, it goes.
    await next.regenerate({ messageId: next.messages[1]?.id ?? "" });
    expect((await loadMessages(store, "c")).map(textOfMessage)).toEqual(["A story, please.", "Again."]);
  }),
);

test("the checks fail for a chat that keeps its stream in memory", async () => {
  const place = await sharedPlace("json-file");
  const argument = { place: place.where, text: STORY, holdAt: "keeper ", ttlMs: 3000, isTwin: true };
  const producer = new OtherProcess(new URL("./chat-process.mjs", import.meta.url), argument);
  await producer.until(({ read }) => String(read).includes("was "));
  await producer.kill();
  const store = await place.open();
  await expect(checkCutOff(store)).rejects.toThrow("cutOff");
});

/** An answer that another process has half written, and a page that follows it. */
async function followedAnswer(kind: (typeof sharedKinds)[number], ttlMs: number) {
  const place = await sharedPlace(kind);
  const argument = { place: place.where, text: STORY, holdAt: "keeper ", ttlMs };
  const producer = new OtherProcess(new URL("./chat-process.mjs", import.meta.url), argument);
  await producer.until((line) => "holds" in line);
  const store = await place.open();
  const handlers = handlersOn(store);
  const page = new Page(handlers, "c", await loadMessages(store, "c"));
  const resumed = page.resumeStream();
  await vi.waitFor(() => expect(page.texts.at(-1)).toContain("was a "), { timeout: 30_000 });
  return { producer, store, handlers, page, resumed };
}

/** The stored part of an answer whose process is gone. */
async function checkCutOff(store: SessionStore): Promise<LoadedChat> {
  const chat = await loadChat(store, "c");
  expect(chat).toMatchObject({ isAnswering: false, cutOff: { messageId: expect.any(String) } });
  expect(chat.messages.map(textOfMessage)[1]).toContain("Once upon a time");
  return chat;
}

function handlersOn(store: SessionStore): ReturnType<typeof createChatHandlers> {
  const model = scriptedModel([saying("Again.")]);
  return createChatHandlers({
    store,
    authorize: "public",
    respond: async ({ messages }) => streamText({ model, messages: await convertToModelMessages(messages) }),
  });
}
