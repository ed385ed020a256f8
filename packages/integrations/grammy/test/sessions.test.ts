import { createBotSession } from "@sessions/bot-session";
import { SessionError } from "@sessions/protocol";
import {
  Bot,
  type Context,
  type LazySessionFlavor,
  lazySession,
  MemorySessionStorage,
  type SessionFlavor,
  session,
} from "grammy";
import { Gate, memoryPlace, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { sequentialize, storage } from "../src/index.js";
import { type Data, initial, noting, type OwnContext, textsIn, thrownIn } from "./noting-bot.js";
import { botInfo, messageUpdate } from "./updates.js";

describe.each(storeKinds)("on $name", ({ place }) => {
  test("two workers of one chat handle the updates of each in order of arrival, and lose none", async () => {
    const shared = await place();
    const workers = [noting(await shared.open()), noting(await shared.open())];
    const handled = Array.from({ length: 20 }, (_, id) =>
      workers[id % 2]?.handleUpdate(messageUpdate(id, `text ${id}`)),
    );
    await Promise.all(handled);
    const kept = (await textsIn(await shared.open())) ?? [];
    expect(kept).toHaveLength(20);
    for (const worker of [0, 1]) {
      const own = Array.from({ length: 10 }, (_, n) => `text ${2 * n + worker}`);
      expect(kept.filter((text) => own.includes(text))).toEqual(own);
    }
  });

  test("an update that comes twice is handled once, also if it failed before", async () => {
    const store = await (await place()).open();
    const doubles: number[] = [];
    let isDown = true;
    const bot = noting(
      store,
      () => {
        if (isDown) throw new Error("down");
      },
      { onDuplicate: (ctx) => void doubles.push(ctx.update.update_id) },
    );
    await expect(bot.handleUpdate(messageUpdate(1, "a"))).rejects.toThrow("down");
    expect(await textsIn(store)).toBeUndefined();
    isDown = false;
    for (let n = 0; n < 3; n++) await bot.handleUpdate(messageUpdate(1, "a"));
    expect(await textsIn(store)).toEqual(["a"]);
    expect(doubles).toEqual([1, 1]);
  });

  test("lazy sessions and multi sessions are stored", async () => {
    const store = await (await place()).open();
    const lazy = new Bot<Context & LazySessionFlavor<Data>>("token", { botInfo });
    lazy.use(sequentialize(store));
    lazy.use(lazySession({ initial, storage: storage<Data>(store) }));
    lazy.on("message:text", async (ctx) => {
      if (ctx.message.text === "ignored") return;
      (await ctx.session).texts.push(ctx.message.text);
    });
    for (const [id, text] of ["a", "ignored", "b"].entries())
      await lazy.handleUpdate(messageUpdate(id, text));
    expect(await textsIn(store)).toEqual(["a", "b"]);

    type Multi = { cart: Data; settings: Data };
    const multi = new Bot<Context & SessionFlavor<Multi>>("token", { botInfo });
    multi.use(sequentialize(store));
    const part = (name: string) => ({ initial, storage: storage<Data>(store, { name }) });
    multi.use(session<Multi, Context>({ type: "multi", cart: part("cart"), settings: part("settings") }));
    multi.on("message:text", (ctx) => {
      ctx.session.cart.texts.push(ctx.message.text);
      ctx.session.settings.texts.push("x");
    });
    await Promise.all([10, 11, 12].map((id) => multi.handleUpdate(messageUpdate(id, `m${id}`))));
    expect(await storage<Data>(store, { name: "cart" }).read("42")).toEqual({ texts: ["m10", "m11", "m12"] });
    expect(await storage<Data>(store, { name: "settings" }).read("42")).toEqual({ texts: ["x", "x", "x"] });
    expect(await textsIn(store)).toEqual(["a", "b"]);
  });

  test("a live bot that switches storages imports each session once, when it is first read", async () => {
    const store = await (await place()).open();
    const old = new MemorySessionStorage<Data>();
    old.write("42", { texts: ["old"] });
    old.write("43", { texts: ["other"] });
    const bot = noting(
      store,
      (text, ctx) => {
        if (text === "forget me") ctx.session = { texts: [] };
      },
      { importFrom: old },
    );
    await bot.handleUpdate(messageUpdate(1, "new"));
    expect(await textsIn(store)).toEqual(["old", "new"]);
    old.write("42", { texts: ["changed behind our back"] });
    await bot.handleUpdate(messageUpdate(2, "newer"));
    expect(await textsIn(store)).toEqual(["old", "new", "newer"]);
    expect(await textsIn(store, "43")).toBeUndefined();
    await bot.handleUpdate(messageUpdate(3, "new", 44));
    expect(await textsIn(store, "44")).toEqual(["new"]);
  });

  test("a deleted session stays deleted, also one that was imported", async () => {
    const store = await (await place()).open();
    const old = new MemorySessionStorage<Data>();
    old.write("42", { texts: ["old"] });
    const bot = new Bot<Context & SessionFlavor<Data | undefined>>("token", { botInfo });
    bot.use(sequentialize(store));
    bot.use(session({ storage: storage<Data | undefined>(store, { importFrom: old }) }));
    const seen: unknown[] = [];
    bot.on("message:text", (ctx) => {
      seen.push(ctx.session?.texts);
      ctx.session = undefined;
    });
    for (const id of [1, 2]) await bot.handleUpdate(messageUpdate(id, "x"));
    expect(seen).toEqual([["old"], undefined]);
    expect(await storage(store).has?.("42")).toBe(false);
  });

  test("a worker that was paused for longer than its lease writes nothing any more", async () => {
    const shared = await place();
    const store = await shared.open();
    const gate = new Gate();
    const late = noting(store, async (text) => {
      if (text !== "late") return;
      await store.interruptTurn("grammy/42", { force: true }); // as if its lease had been taken over
      await gate.passed;
    });
    const failing = late.handleUpdate(messageUpdate(1, "late"));
    await gate.reached;
    await noting(await shared.open()).handleUpdate(messageUpdate(2, "next"));
    gate.open();
    expect(SessionError.is(await thrownIn(failing), "TURN_LOST")).toBe(true);
    expect(await textsIn(store)).toEqual(["next"]);
  });

  test("the session of a chat and its bot conversation do not wait for each other", async () => {
    const store = await (await place()).open();
    const conversation = createBotSession({
      store,
      platform: "telegram",
      scope: "user",
      respond: ({ messages }) => `answer ${messages.length}`,
    });
    const replies: unknown[] = [];
    const bot = noting(store, async (text, ctx) => {
      const { reply } = await conversation.handle({ id: ctx.update.update_id, user: 42, text });
      replies.push(reply);
    });
    await Promise.all([1, 2, 3].map((id) => bot.handleUpdate(messageUpdate(id, `text ${id}`))));
    expect(replies).toEqual(["answer 1", "answer 3", "answer 5"]);
    expect(await textsIn(store)).toEqual(["text 1", "text 2", "text 3"]);
  });

  test("a storage lists all its keys and values", async () => {
    const store = await (await place()).open();
    const bot = noting(store);
    for (const chat of [42, 43]) await bot.handleUpdate(messageUpdate(chat, `of ${chat}`, chat));
    const entries: unknown[] = [];
    for await (const entry of storage<Data>(store).readAllEntries?.() ?? []) entries.push(entry);
    expect(entries).toEqual([
      ["42", { texts: ["of 42"] }],
      ["43", { texts: ["of 43"] }],
    ]);
  });
});

test("without sequentialize a write is refused with an error that says what to do, and so is one under another key", async () => {
  const store = await memoryPlace().open();
  const bot = new Bot<OwnContext>("token", { botInfo });
  bot.use(session({ initial, storage: storage<Data>(store) }));
  bot.on("message", (ctx) => void ctx.session.texts.push("x"));
  const refused = {
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("Put sequentialize(store) before"),
  };
  expect(await thrownIn(bot.handleUpdate(messageUpdate(1, "x")))).toMatchObject(refused);
  const other = new Bot<OwnContext>("token", { botInfo });
  other.use(sequentialize(store));
  other.use(session({ initial, storage: storage<Data>(store), getSessionKey: () => "other" }));
  other.on("message", (ctx) => void ctx.session.texts.push("x"));
  const told = { code: "INVALID_ARGUMENT", message: expect.stringContaining("give that as `key`") };
  expect(await thrownIn(other.handleUpdate(messageUpdate(2, "x")))).toMatchObject(told);
});

test("an update without a chat is handled without a turn", async () => {
  const store = await memoryPlace().open();
  const bot = noting(store);
  let ran = false;
  bot.use(() => {
    ran = true;
  });
  await bot.handleUpdate({
    update_id: 1,
    poll_answer: { poll_id: "1", option_ids: [], option_persistent_ids: [] },
  });
  expect(ran).toBe(true);
});

test.each([
  ["a bigint", 10n],
  ["a Date", new Date(0)],
  ["a Map", new Map([["a", 1]])],
])("%s in a session is refused, and nothing is written", async (_, bad) => {
  const store = await memoryPlace().open();
  const bot = noting(store, (_text, ctx) => {
    Object.assign(ctx.session, { bad });
  });
  await expect(bot.handleUpdate(messageUpdate(1, "x"))).rejects.toThrow();
  expect(await textsIn(store)).toBeUndefined();
});

test("bots with different namespaces share a store, and no sessions", async () => {
  const store = await memoryPlace().open();
  for (const namespace of ["one", "two"])
    await noting(store, undefined, { namespace }).handleUpdate(messageUpdate(1, `of ${namespace}`));
  for (const namespace of ["one", "two"])
    expect(await storage<Data>(store, { namespace }).read("42")).toEqual({ texts: [`of ${namespace}`] });
});

test("an update does not wait for those of another chat", async () => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  const bot = noting(store, async (text) => {
    if (text === "slow") await gate.passed;
  });
  const slow = bot.handleUpdate(messageUpdate(1, "slow"));
  await gate.reached;
  await bot.handleUpdate(messageUpdate(2, "other", 43));
  expect(await textsIn(store, "43")).toEqual(["other"]);
  gate.open();
  await slow;
});
