import { type SessionStore, sessionKey } from "@sessions/protocol";
import { convertToModelMessages, stepCountIs, streamText, type UIMessage } from "ai";
import type { MockLanguageModelV3 } from "ai/test";
import { Gate, storeKinds } from "test-tools";
import { expect, test } from "vitest";
import {
  type ChatHandlers,
  type ChatHandlersOptions,
  createChatHandlers,
  loadChat,
  loadMessages,
} from "../src/index.js";
import { Page, textOfMessage } from "./page.js";
import { saying, scriptedModel } from "./scripted-model.mjs";

const STORY = "Once upon a time there was a keeper who wrote one line every night.";
const OPTIONS = { checkpoint: { everyMs: 5 }, ttlMs: 30_000 };

function handlersWith(
  store: SessionStore,
  model: MockLanguageModelV3,
  options: Partial<ChatHandlersOptions> = {},
): ChatHandlers {
  return createChatHandlers({
    store,
    authorize: "public",
    respond: async ({ messages, signal }) =>
      streamText({
        model,
        messages: await convertToModelMessages(messages),
        abortSignal: signal,
        stopWhen: stepCountIs(5),
      }),
    ...OPTIONS,
    ...options,
  });
}

/** A model that stops at a word until the gate is opened. */
function gated(word: string, text: string = STORY): { model: MockLanguageModelV3; gate: Gate } {
  const gate = new Gate();
  const model = scriptedModel([saying(text)], async ({ delta }) => {
    if (delta === word) await gate.passed;
  });
  return { model, gate };
}

const texts = (messages: readonly UIMessage[]): readonly string[] => messages.map(textOfMessage);

test.each(storeKinds)(
  "a chat is answered, and stored and loaded as the page shows it: $name",
  async ({ open }) => {
    const store = await open();
    const model = scriptedModel([saying("Hello."), saying(STORY)]);
    const page = new Page(handlersWith(store, model), "c");
    await page.sendMessage({ text: "Hi." });
    await page.sendMessage({ text: "A story, please.", metadata: { from: "test" } });
    expect(page.status).toBe("ready");
    expect(page.texts).toEqual(["Hi.", "Hello.", "A story, please.", STORY]);
    expect(plain(await loadMessages(store, "c"))).toEqual(plain(page.messages));
    expect(model.doStreamCalls[1]?.prompt).toHaveLength(3);
    expect(await loadChat(store, "c")).toMatchObject({ isAnswering: false });
  },
);

test.each(storeKinds)(
  "after a reload in the middle, the page gets the answer from its beginning, without the page that asked: $name",
  async ({ open }) => {
    const store = await open();
    const { model, gate } = gated("keeper ");
    const handlers = handlersWith(store, model);
    const first = new Page(handlers, "c");
    const asked = first.sendMessage({ text: "A story, please." });
    await gate.reached;
    await first.stop(); // the tab is closed
    await asked;
    const loaded = await loadChat(store, "c");
    expect(loaded).toMatchObject({ isAnswering: true, messages: [{ role: "user" }] });
    const reloaded = new Page(handlersWith(store, model), "c", loaded.messages);
    const resumed = reloaded.resumeStream();
    await expect.poll(() => reloaded.texts.at(-1)).toContain("there was a");
    gate.open();
    await resumed;
    expect(reloaded.texts).toEqual(["A story, please.", STORY]);
    expect(plain(await loadMessages(store, "c"))).toEqual(plain(reloaded.messages));
    // A page that was loaded in the middle, and asks for the stream when it is over.
    const slow = new Page(handlers, "c", loaded.messages);
    slow.since = loaded.revision;
    await slow.resumeStream();
    expect(slow.texts).toEqual(["A story, please.", STORY]);
    const late = await Page.load(handlers, store, "c");
    await late.resumeStream(); // 204
    expect(late.texts).toEqual(["A story, please.", STORY]);
  },
);

test.each(storeKinds)(
  "an answer can be stopped from any process, and its text so far is kept: $name",
  async ({ open }) => {
    const store = await open();
    const { model, gate } = gated("keeper ");
    const page = new Page(handlersWith(store, model), "c");
    const asked = page.sendMessage({ text: "A story, please." });
    await gate.reached;
    await expect.poll(() => page.texts.at(-1)).toContain("was a ");
    const elsewhere = handlersWith(store, model);
    const request = new Request("http://localhost/api/chat/c", { method: "DELETE" });
    expect(await (await elsewhere.stop(request)).json()).toEqual({ stopped: true });
    await asked;
    expect(page.status).toBe("ready");
    const chat = await loadChat(store, "c");
    expect(chat.cutOff).toMatchObject({ messageId: page.messages[1]?.id });
    expect(texts(chat.messages)[1]).toBe("Once upon a time there was a ");
    expect(await (await elsewhere.stop(request)).json()).toEqual({ stopped: false });
    gate.open();
    await page.regenerate();
    expect(page.texts).toEqual(["A story, please.", STORY]);
    expect(texts(await loadMessages(store, "c"))).toEqual(["A story, please.", STORY]);
  },
);

test.each(storeKinds)(
  "the same request twice, at once or later, is answered once: $name",
  async ({ open }) => {
    const store = await open();
    const { model, gate } = gated("keeper ");
    const handlers = handlersWith(store, model);
    const body = (text: string, more: object = {}): RequestInit => ({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        id: "c",
        messages: [{ id: "m1", role: "user", parts: [{ type: "text", text }] }],
        trigger: "submit-message",
        ...more,
      }),
    });
    const post = async (init: RequestInit): Promise<string> =>
      (await handlers.post(new Request("http://localhost/api/chat", init))).text();
    const both = [post(body("Hi.")), post(body("Hi."))];
    await gate.reached;
    both.push(post(body("Hi.")));
    gate.open();
    const streams = [...(await Promise.all(both)), await post(body("Hi."))];
    expect(streams.map(said)).toEqual(streams.map(() => STORY));
    expect(new Set(streams.map((stream) => /"messageId":"([^"]+)"/.exec(stream)?.[1])).size).toBe(1);
    expect(model.doStreamCalls).toHaveLength(1);
    expect(texts(await loadMessages(store, "c"))).toEqual(["Hi.", STORY]);
    // An edit, and the same edit again.
    const edit = { messageId: "m1" };
    expect(said(await post(body("Hello.", edit)))).toBe(STORY);
    expect(said(await post(body("Hello.", edit)))).toBe(STORY);
    expect(model.doStreamCalls).toHaveLength(2);
    expect(texts(await loadMessages(store, "c"))).toEqual(["Hello.", STORY]);
  },
);

test.each(storeKinds)(
  "edits and regenerations replace, also while an answer is written: $name",
  async ({ open }) => {
    const store = await open();
    const { model, gate } = gated("keeper ");
    const page = new Page(handlersWith(store, model), "c");
    const asked = page.sendMessage({ text: "A story, please." });
    await gate.reached;
    await page.stop();
    await asked;
    gate.open();
    const [question] = page.messages;
    await page.sendMessage({ text: "A poem, please.", messageId: question?.id ?? "" });
    expect(page.texts).toEqual(["A poem, please.", STORY]);
    await page.regenerate();
    await page.regenerate();
    expect(model.doStreamCalls).toHaveLength(4); // the model is asked each time
    await page.sendMessage({ text: "Thanks." });
    const expected = ["A poem, please.", STORY, "Thanks.", STORY];
    expect(page.texts).toEqual(expected);
    const stored = await loadMessages(store, "c");
    expect(texts(stored)).toEqual(expected);
    expect(stored.map(({ id }) => id)).toEqual(page.messages.map(({ id }) => id));
  },
);

test.each(storeKinds)(
  "the messages of two tabs are all answered, one after the other: $name",
  async ({ open }) => {
    const store = await open();
    const { model, gate } = gated("keeper ");
    const tabs = ["one", "two", "three"].map(
      (name) => [name, new Page(handlersWith(store, model), "c")] as const,
    );
    const asked = tabs.map(([name, page]) => page.sendMessage({ text: name }));
    await gate.reached;
    gate.open();
    await Promise.all(asked);
    for (const [name, page] of tabs) expect(page.texts).toEqual([name, STORY]);
    const stored = texts(await loadMessages(store, "c"));
    expect(stored).toHaveLength(6);
    for (const [name] of tabs) expect(stored[stored.indexOf(name) + 1]).toBe(STORY);
  },
);

test.each(storeKinds)(
  "the failure of a model is sent to the page, and its partial answer is kept: $name",
  async ({ open }) => {
    const store = await open();
    const model = scriptedModel([saying(STORY)], async ({ delta }) => {
      if (delta === "keeper ") throw new Error("the model is down");
    });
    const page = new Page(handlersWith(store, model), "c");
    await page.sendMessage({ text: "A story, please." });
    expect(page.status).toBe("error");
    const chat = await loadChat(store, "c");
    expect(texts(chat.messages)[1]).toBe("Once upon a time there was a ");
    expect(chat.cutOff?.error).toBeDefined();

    const broken = handlersWith(store, model, {
      respond: () => Promise.reject(new Error("no key")),
      onError: (error) => (error instanceof Error ? error.message : "?"),
    });
    const other = new Page(broken, "d");
    await other.sendMessage({ text: "Hi." });
    expect(other.error?.message).toBe("no key");
    expect(texts(await loadMessages(store, "d"))).toEqual(["Hi."]);
  },
);

test("a message that has waited too long is refused, and nothing is stored", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const { model, gate } = gated("keeper ");
  const first = new Page(handlersWith(store, model), "c");
  const asked = first.sendMessage({ text: "A story, please." });
  await gate.reached;
  const second = new Page(handlersWith(store, model, { waitMs: 20 }), "c");
  await second.sendMessage({ text: "Me too." });
  expect(second.status).toBe("error");
  gate.open();
  await asked;
  expect(texts(await loadMessages(store, "c"))).toEqual(["A story, please.", STORY]);
});

test("an invalid request is refused with a message that says what to do, and changes nothing", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const handlers = handlersWith(store, scriptedModel([saying("Hi.")]), {
    sessionIdOf: (_, chatId) => {
      if (chatId === "theirs") throw new Response("Not yours.", { status: 403 });
      return sessionKey("user-1", chatId);
    },
  });
  const user = { id: "m", role: "user", parts: [] };
  const bodies: [unknown, number][] = [
    ["no json", 400],
    [{ messages: [user] }, 400],
    [{ id: "c", messages: [] }, 400],
    [{ id: "c", messages: [{ ...user, role: "system" }] }, 400],
    [{ id: "c", messages: [{ ...user, role: "assistant" }] }, 400],
    [{ id: "c", messages: [user], trigger: "shout" }, 400],
    [{ id: "theirs", messages: [user] }, 403],
  ];
  for (const [body, status] of bodies) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await handlers.post(
      new Request("http://localhost/api/chat", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: text,
      }),
    );
    expect([body, response.status]).toEqual([body, status]);
    expect(await response.text()).not.toBe("");
  }
  for (const handle of [handlers.resume, handlers.stop])
    expect((await handle(new Request("http://localhost/api/chat/%E0%A4%A/stream"))).status).toBe(400);
  const session = await store.getSession("user-1:c");
  expect(session?.messages ?? []).toEqual([]);
  expect(session?.turn).toBeUndefined();
});

/** The text that a stream makes. */
function said(stream: string): string {
  return [...stream.matchAll(/"delta":("(?:[^"\\]|\\.)*")/g)]
    .map(([, text]) => JSON.parse(text ?? '""'))
    .join("");
}

/** As it is after a way through JSON. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
