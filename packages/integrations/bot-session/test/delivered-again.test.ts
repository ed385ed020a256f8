import { type SessionStore, textOf } from "@sessions/protocol";
import { Gate, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { type BotSession, type BotSessionOptions, type BotUpdate, createBotSession } from "../src/index.js";

function botOn(store: SessionStore, options: Partial<BotSessionOptions> = {}): BotSession {
  return createBotSession({
    store,
    platform: "telegram",
    scope: "user",
    respond: ({ messages }) => messages.map(textOf).join("|"),
    ...options,
  });
}

const TAKEN = expect.objectContaining({ code: "MESSAGE_ID_TAKEN" });
const INVALID = expect.objectContaining({ code: "INVALID_ARGUMENT" });
const ann = { platform: "telegram", user: 42 };
const annOnSlack = { platform: "slack", user: "U42" };

async function texts(
  store: SessionStore,
  bot: BotSession,
  user: number | string,
): Promise<readonly string[]> {
  return ((await store.getSession(await bot.sessionId({ user })))?.messages ?? []).map(textOf);
}

describe.each(storeKinds)("on $name", ({ place }) => {
  test.each(["queue", "merge", "interrupt", "reject"] as const)(
    "a message that was destroyed is not stored again when its update is delivered again (busy: %s)",
    async (busy) => {
      const store = await (await place()).open();
      const bot = botOn(store, { busy, reset: { destroy: true } });
      const secret = { id: 1, user: 42, text: "secret" };
      await bot.handle(secret);
      await bot.handle({ id: 2, user: 42, text: "/new" });
      expect(await bot.handle(secret)).toMatchObject({ duplicate: true, reply: undefined });
      expect(await texts(store, bot, 42)).toEqual([]);
      expect((await bot.handle({ id: 3, user: 42, text: "fresh" })).reply).toBe("fresh");
    },
  );

  test("a message that was recorded or mirrored and then destroyed is not stored again", async () => {
    const store = await (await place()).open();
    const bot = botOn(store, { reset: { destroy: true } });
    const again = async (): Promise<readonly boolean[]> => [
      (await bot.record({ id: 1, user: 42, text: "secret" })).duplicate,
      (await bot.mirror({ user: 42 }, { id: 5, text: "secret too" })).duplicate,
    ];
    expect(await again()).toEqual([false, false]);
    await bot.handle({ id: 2, user: 42, text: "/new" });
    expect(await again()).toEqual([true, true]);
    expect(await texts(store, bot, 42)).toEqual([]);
    const { session } = await store.exportSession(await bot.sessionId({ user: 42 }));
    expect(JSON.stringify(session)).not.toContain("secret");
  });

  test.each<[string, (bot: BotSession) => Promise<unknown>]>([
    ["the command", (bot) => bot.handle({ id: 9, user: 42, text: "/new" })],
    ["a reset by hand", (bot) => bot.reset({ user: 42 })],
    ["a reset that is due", async () => undefined],
  ])("an update that was merged and then destroyed by %s is not answered again", async (how, reset) => {
    const store = await (await place()).open();
    const gate = new Gate();
    const asked: unknown[] = [];
    const bot = botOn(store, {
      busy: "merge",
      reset: { destroy: true, ...(how === "a reset that is due" ? { turns: 2 } : {}) },
      async respond({ messages, update }) {
        asked.push(update.id);
        if (update.id === 1) await gate.passed;
        return messages.map(textOf).join("|");
      },
    });
    const first = bot.handle({ id: 1, user: 42, text: "one" });
    await gate.reached;
    const merged = [2, 3].map((id) => bot.handle({ id, user: 42, text: `secret ${id}` }));
    await expect.poll(() => texts(store, bot, 42)).toHaveLength(3);
    gate.open();
    await first;
    const outcomes = (await Promise.all(merged)).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(["answered", "merged"]);
    await reset(bot);
    await bot.handle({ id: 10, user: 42, text: "fresh" });
    const before = asked.length;
    for (const id of [1, 2, 3])
      expect(await bot.handle({ id, user: 42, text: `${id === 1 ? "one" : `secret ${id}`}` })).toMatchObject({
        duplicate: true,
        reply: undefined,
      });
    expect(asked).toHaveLength(before);
    expect(await texts(store, bot, 42)).toEqual(["fresh", "fresh"]);
  });

  test.each(["queue", "merge", "interrupt"] as const)(
    "the second delivery of an update whose message was destroyed does not change the turn of another update (busy: %s)",
    async (busy) => {
      const store = await (await place()).open();
      const gate = new Gate();
      const bot = botOn(store, {
        busy,
        reset: { destroy: true },
        async respond({ messages, update }) {
          if (update.id === 3) await gate.passed;
          return messages.map(textOf).join("|");
        },
      });
      const secret = { id: 1, user: 42, text: "secret" };
      await bot.handle(secret);
      await bot.handle({ id: 2, user: 42, text: "/new" });
      const running = bot.handle({ id: 3, user: 42, text: "running" });
      await gate.reached;
      expect(await bot.handle(secret)).toMatchObject({ duplicate: true });
      gate.open();
      expect(await running).toMatchObject({ outcome: "answered", reply: "running" });
      expect((await bot.handle({ id: 4, user: 42, text: "next" })).reply).toBe("running|running|next");
    },
  );

  test.each<[string, (bots: Readonly<Record<"telegram" | "slack", BotSession>>) => Promise<unknown>]>([
    ["a link", ({ telegram }) => telegram.link(annOnSlack, ann)],
    [
      "a link and its end",
      async ({ telegram }) => {
        await telegram.link(annOnSlack, ann);
        await telegram.handle({ id: 50, user: 42, text: "linked" });
        await telegram.unlink(ann);
      },
    ],
    [
      "a link of the other identity",
      async ({ telegram, slack }) => {
        await telegram.link(annOnSlack, ann);
        await telegram.handle({ id: 50, user: 42, text: "linked" });
        await slack.link({ platform: "mail", user: "ann@example.com" }, annOnSlack);
      },
    ],
  ])("an update that was answered before %s is not answered again", async (_, change) => {
    const store = await (await place()).open();
    const bots = { telegram: botOn(store), slack: botOn(store, { platform: "slack" }) };
    const update = { id: 1, user: 42, text: "Hello." };
    const first = await bots.telegram.handle(update);
    await bots.telegram.record({ id: 2, user: 42, text: "chatter" });
    await change(bots);
    expect(await bots.telegram.handle(update)).toMatchObject({ reply: first.reply, duplicate: true });
    expect(await bots.telegram.record({ id: 2, user: 42, text: "chatter" })).toMatchObject({
      sessionId: first.sessionId,
      duplicate: true,
    });
  });

  test("an update that was answered while it was linked is not answered again after that", async () => {
    const store = await (await place()).open();
    const bot = botOn(store);
    await bot.link(annOnSlack, ann);
    const update = { id: 1, user: 42, text: "Hello." };
    const first = await bot.handle(update);
    await bot.unlink(ann);
    expect(await bot.handle(update)).toMatchObject({ reply: first.reply, duplicate: true });
    await bot.link(annOnSlack, ann);
    expect(await bot.handle(update)).toMatchObject({ reply: first.reply, duplicate: true });
  });

  test("an update is not answered again after `identity` returns another name for its user", async () => {
    const store = await (await place()).open();
    let name: string | undefined;
    const bot = botOn(store, { identity: () => name });
    for (const next of ["staff", "boss", undefined]) {
      const update = { id: `before ${next}`, user: 42, text: "Hello." };
      const first = await bot.handle(update);
      name = next;
      expect(await bot.handle(update)).toMatchObject({ reply: first.reply, duplicate: true });
    }
  });

  test("an update that is queued while its person is linked, and delivered again, is answered once", async () => {
    const shared = await place();
    const store = await shared.open();
    const gate = new Gate();
    const answered: unknown[] = [];
    const respond: BotSessionOptions["respond"] = async ({ update }) => {
      if (update.id === 1) await gate.passed;
      answered.push(update.id);
      return `to ${update.id}`;
    };
    const bot = botOn(store, { respond });
    const running = bot.handle({ id: 1, user: 42, text: "slow" });
    await gate.reached;
    const update = { id: 2, user: 42, text: "waits" };
    const waiting = bot.handle(update);
    const own = await bot.sessionId({ user: 42 });
    await expect.poll(async () => (await store.getSession(own))?.turn?.waiting).toBe(1);
    await bot.link(annOnSlack, ann);
    const again = await botOn(await shared.open(), { respond }).handle(update);
    gate.open();
    await running;
    expect([again.reply, (await waiting).reply]).toEqual(["to 2", "to 2"]);
    expect(answered).toEqual([2, 1]);
  });

  test("other content under the id of an earlier update is MESSAGE_ID_TAKEN, whether or not that update was answered", async () => {
    const store = await (await place()).open();
    let isDown = false;
    const bot = botOn(store, {
      respond() {
        if (isDown) throw new Error("down");
        return "ok";
      },
    });
    await bot.handle({ id: 1, user: 42, text: "first" });
    await expect(bot.handle({ id: 1, user: 42, text: "second" })).rejects.toEqual(TAKEN);
    await bot.record({ id: 2, user: 42, text: "first" });
    await expect(bot.record({ id: 2, user: 42, text: "second" })).rejects.toEqual(TAKEN);
    isDown = true;
    await expect(bot.handle({ id: 3, user: 42, text: "first" })).rejects.toThrow("down");
    isDown = false;
    await expect(bot.handle({ id: 3, user: 42, text: "second" })).rejects.toEqual(TAKEN);
    await bot.mirror({ user: 42 }, { id: 1, text: "first" });
    await expect(bot.mirror({ user: 42 }, { id: 1, text: "second" })).rejects.toEqual(TAKEN);
    await bot.handle({ id: 4, user: 42, text: "/new" });
    await expect(bot.handle({ id: 4, user: 42, text: "second" })).rejects.toEqual(TAKEN);
    expect(await texts(store, bot, 42)).toEqual([]);
  });

  test("the same content from another user under the id of an earlier update is MESSAGE_ID_TAKEN", async () => {
    const store = await (await place()).open();
    let isDown = false;
    const bot = botOn(store, {
      scope: "chat",
      respond() {
        if (isDown) throw new Error("down");
        return "ok";
      },
    });
    const said = (id: number, user: number): BotUpdate => ({ id, user, chat: 9, text: "Hello." });
    await bot.handle(said(1, 42));
    await expect(bot.handle(said(1, 43))).rejects.toEqual(TAKEN);
    isDown = true;
    await expect(bot.handle(said(2, 42))).rejects.toThrow("down");
    isDown = false;
    await expect(bot.handle(said(2, 43))).rejects.toEqual(TAKEN);
    expect(await bot.handle(said(2, 42))).toMatchObject({ reply: "ok", duplicate: false });
  });

  test("an update is the same under another name, at another time and with other metadata", async () => {
    const store = await (await place()).open();
    let isDown = true;
    const bot = botOn(store, {
      respond() {
        if (isDown) throw new Error("down");
        return "ok";
      },
    });
    const update: BotUpdate = {
      id: 1,
      user: 42,
      text: "Hello.",
      name: "Ann",
      at: 1000,
      metadata: { try: 1 },
    };
    const again: BotUpdate = { ...update, name: "Anna", at: 2000, metadata: { try: 2 } };
    await expect(bot.handle(update)).rejects.toThrow("down");
    isDown = false;
    expect(await bot.handle(again)).toMatchObject({ reply: "ok", duplicate: false });
    expect(await bot.handle(update)).toMatchObject({ reply: "ok", duplicate: true });
    const [stored] = (await store.getSession(await bot.sessionId(update)))?.messages ?? [];
    expect(stored).toMatchObject({ createdAt: 1000, metadata: { try: 1, speaker: { name: "Ann" } } });
  });
});

test.each(["bot.settled", "bot.anything", "speaker", "turnId", "prompt", "usage", "mirrored", "archiveId"])(
  "metadata of an update with the reserved key %s is refused",
  async (key) => {
    const [kind] = storeKinds;
    const store = await (await kind?.place())?.open();
    if (store === undefined) throw new Error("there is no store");
    const bot = botOn(store);
    const value = { outcome: "answered", turnId: "another", replyIds: [] };
    const update = { id: 1, user: 42, text: "hi", metadata: { [key]: value } };
    await expect(bot.handle(update)).rejects.toEqual(INVALID);
    await expect(bot.record(update)).rejects.toEqual(INVALID);
    expect(await bot.handle({ ...update, metadata: {} })).toMatchObject({ outcome: "answered", reply: "hi" });
  },
);
