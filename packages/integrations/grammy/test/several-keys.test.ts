import type { SessionStore } from "@sessions/protocol";
import { Bot, type Context, type SessionFlavor, session } from "grammy";
import { failingStore, Gate, memoryPlace, type StoreFault } from "test-tools";
import { expect, test } from "vitest";
import { sequentialize, storage } from "../src/index.js";
import { type Data, initial, type OwnContext, textsIn } from "./noting-bot.js";
import { botInfo, messageUpdate } from "./updates.js";

test("two updates that name several keys in any order, or one key twice, do not deadlock", async () => {
  const store = await memoryPlace().open();
  const keys = [
    ["a", "b"],
    ["b", "a"],
    ["a", "a"],
  ];
  let n = 0;
  const make = (): Bot<OwnContext> => {
    const bot = new Bot<OwnContext>("token", { botInfo });
    bot.use(sequentialize(store, { key: () => keys[n++ % keys.length] }));
    bot.use(sequentialize(store, { key: () => "a" }));
    bot.use(session({ initial, storage: storage<Data>(store), getSessionKey: () => "a" }));
    bot.on("message:text", (ctx) => void ctx.session.texts.push(ctx.message.text));
    return bot;
  };
  const bots = [make(), make()];
  await Promise.all(
    Array.from({ length: 12 }, (_, id) => bots[id % 2]?.handleUpdate(messageUpdate(id, `${id}`))),
  );
  expect(await textsIn(store, "a")).toHaveLength(12);
});

interface Parts {
  chat: Data;
  user: Data;
}

type MultiContext = Context & SessionFlavor<Parts>;

const chatKey = (ctx: Context): string => `chat${ctx.chatId}`;
const userKey = (ctx: Context): string => `user${ctx.from?.id}`;

/** A bot with a session for each chat and one for each user, which notes every text in both. */
function twofold(store: SessionStore, act: (text: string) => unknown = () => undefined): Bot<MultiContext> {
  const bot = new Bot<MultiContext>("token", { botInfo });
  bot.use(sequentialize(store, { key: (ctx) => [chatKey(ctx), userKey(ctx)] }));
  bot.use(
    session<Parts, Context>({
      type: "multi",
      chat: { initial, storage: storage(store), getSessionKey: chatKey },
      user: { initial, storage: storage(store), getSessionKey: userKey },
    }),
  );
  bot.on("message:text", async (ctx) => {
    await act(ctx.message.text);
    for (const part of [ctx.session.chat, ctx.session.user]) part.texts.push(ctx.message.text);
  });
  return bot;
}

test.each([
  ["chat", { user: 8, chat: 1 }],
  ["user", { user: 7, chat: 2 }],
])("an update that needs two sessions waits for another one that holds its %s", async (_, { user, chat }) => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  const handled: string[] = [];
  const bot = twofold(store, async (text) => {
    if (text === "first") await gate.passed;
    handled.push(text);
  });
  const first = bot.handleUpdate(messageUpdate(1, "first", 1, 7));
  await gate.reached;
  const second = bot.handleUpdate(messageUpdate(2, "second", chat, user));
  const waiting = async (): Promise<number> =>
    (await store.listSessions()).items.reduce((sum, { turn }) => sum + (turn?.waiting ?? 0), 0);
  await expect.poll(waiting).toBe(1);
  await bot.handleUpdate(messageUpdate(3, "elsewhere", 9));
  gate.open();
  await Promise.all([first, second]);
  expect(handled).toEqual(["elsewhere", "first", "second"]);
  expect(await textsIn(store, chat === 1 ? "chat1" : "user7")).toEqual(["first", "second"]);
});

test.each<[string, (bot: Bot<OwnContext>, store: SessionStore) => void]>([
  [
    "a getSessionKey",
    (bot, store) => {
      bot.use(sequentialize(store, { key: userKey }));
      bot.use(session({ initial, storage: storage<Data>(store), getSessionKey: userKey }));
    },
  ],
  [
    "a prefix",
    (bot, store) => {
      bot.use(sequentialize(store, { key: userKey }));
      bot.use(session({ initial, storage: storage<Data>(store), prefix: "user" }));
    },
  ],
])("a session with %s of its own is written where sequentialize has the same key", async (_, set) => {
  const store = await memoryPlace().open();
  const bot = new Bot<OwnContext>("token", { botInfo });
  set(bot, store);
  bot.on("message:text", (ctx) => void ctx.session.texts.push(ctx.message.text));
  await Promise.all([1, 2, 3].map((id) => bot.handleUpdate(messageUpdate(id, `text ${id}`))));
  expect(await textsIn(store, "user42")).toEqual(["text 1", "text 2", "text 3"]);
});

test("with two keys each session has a separate commit, so a session that is stored when the other fails is changed again", async () => {
  const handleTwice = async (fault?: StoreFault) => {
    const { store, sound, calls } = failingStore(fault);
    const bot = twofold(store);
    const handle = () => bot.handleUpdate(messageUpdate(1, "a", 1, 7)).catch(() => undefined);
    await handle();
    const ends = calls.flatMap((name, call) => (name.includes("turn.end") ? [call] : []));
    await handle();
    return { ends, texts: [await textsIn(sound, "chat1"), await textsIn(sound, "user7")] };
  };
  const { ends, texts } = await handleTwice();
  expect(texts).toEqual([["a"], ["a"]]);
  const [first, second = Number.NaN, ...more] = ends;
  expect([first, more]).toEqual([expect.any(Number), []]);
  const failed = await handleTwice({ call: second, when: "before", code: "TURN_LOST" });
  expect(failed.texts).toEqual([["a"], ["a", "a"]]);
});
