import { systemClock } from "@sessions/protocol";
import { MemorySessionStorage, webhookCallback } from "grammy";
import type { Update } from "grammy/types";
import { failingStore, Gate, memoryPlace } from "test-tools";
import { afterEach, expect, test, vi } from "vitest";
import { type Data, noting, type OwnContext, textsIn, thrownIn } from "./noting-bot.js";
import { messageUpdate } from "./updates.js";

const LOST = expect.objectContaining({ error: expect.objectContaining({ code: "TURN_LOST" }) });

afterEach(() => void vi.useRealTimers());

test("what handlers write is stored in the commit that ends the turn", async () => {
  const { store, calls } = failingStore();
  await noting(store).handleUpdate(messageUpdate(1, "a"));
  const commits = calls.filter((name) => name !== "read");
  expect(commits).toEqual(["turn.begin", expect.stringMatching(/^set\+turn\.end$/)]);
  expect(await textsIn(store)).toEqual(["a"]);
});

/** Ends the turn of the current update by force, as another process does that takes over. */
function losing(store: Parameters<typeof noting>[0]): ReturnType<typeof noting> {
  return noting(store, () => store.interruptTurn("grammy/42", { force: true }));
}

test("with long polling `bot.catch` gets the error of a lost turn", async () => {
  const store = await memoryPlace().open();
  const bot = losing(store);
  const caught: unknown[] = [];
  bot.catch((error) => void caught.push(error));
  const batches: Update[][] = [[messageUpdate(1, "a")]];
  // Stands for Telegram: everything that a bot asks it goes through here.
  bot.api.config.use(async (_previous, method) => {
    const updates = method === "getUpdates" ? batches.shift() : [];
    if (updates === undefined) void bot.stop();
    return JSON.parse(JSON.stringify({ ok: true, result: updates ?? [] }));
  });
  await bot.start();
  expect(caught).toEqual([LOST]);
  expect(await textsIn(store)).toBeUndefined();
});

test("with a webhook `webhookCallback` rejects when a turn was lost", async () => {
  const store = await memoryPlace().open();
  const webhook = webhookCallback(losing(store), "std/http");
  const body = JSON.stringify(messageUpdate(1, "a"));
  await expect(webhook(new Request("http://bot/", { method: "POST", body }))).rejects.toEqual(LOST);
  expect(await textsIn(store)).toBeUndefined();
});

test("a handler may take two minutes unless sequentialize says otherwise", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const store = await memoryPlace().open();
  const gate = new Gate();
  const bot = noting(store, async (text) => {
    if (text === "slow") await gate.passed;
  });
  let isOver = false;
  const slow = thrownIn(bot.handleUpdate(messageUpdate(1, "slow"))).finally(() => {
    isOver = true;
  });
  await gate.reached;
  await vi.advanceTimersByTimeAsync(119_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await slow).toMatchObject({ code: "TURN_LOST", reason: "expired" });
  await bot.handleUpdate(messageUpdate(2, "next"));
  gate.open();
  expect(await textsIn(store)).toEqual(["next"]);
});

test("reading needs no turn: while a handler runs, others read what was stored before", async () => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  const bot = noting(store, async (text, ctx: OwnContext) => {
    if (text !== "slow") return;
    ctx.session.texts.push("not yet");
    await gate.passed;
  });
  await bot.handleUpdate(messageUpdate(1, "before"));
  const slow = bot.handleUpdate(messageUpdate(2, "slow"));
  await gate.reached;
  expect(await textsIn(store)).toEqual(["before"]);
  gate.open();
  await slow;
  expect(await textsIn(store)).toEqual(["before", "not yet", "slow"]);
});

test("a session is imported by the commit that ends its update, and an update that fails imports nothing", async () => {
  const store = await memoryPlace().open();
  const old = new MemorySessionStorage<Data>();
  old.write("42", { texts: ["old"] });
  let isDown = true;
  const bot = noting(
    store,
    () => {
      if (isDown) throw new Error("down");
    },
    { importFrom: old },
  );
  await expect(bot.handleUpdate(messageUpdate(1, "new"))).rejects.toThrow("down");
  expect(await textsIn(store)).toBeUndefined();
  old.write("42", { texts: ["older"] });
  isDown = false;
  await bot.handleUpdate(messageUpdate(1, "new"));
  expect(await textsIn(store)).toEqual(["older", "new"]);
});

const MINUTE_MS = 60_000;

test.each([
  ["one of the last 256 of its chat, though days old,", 1500 * MINUTE_MS, 255],
  ["younger than 24 hours, though many came since,", 4 * MINUTE_MS, 359],
])("an update that is %s is not handled again", async (_, everyMs, back) => {
  let laterMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
  const handled: string[] = [];
  const bot = noting(await memoryPlace().open({ clock }), (text, ctx) => {
    handled.push(text);
    ctx.session.texts = [];
  });
  const count = 3 * back;
  for (let id = 0; id < count; id++, laterMs += everyMs) {
    await bot.handleUpdate(messageUpdate(id, `text ${id}`));
    if (id >= back) await bot.handleUpdate(messageUpdate(id - back, `text ${id - back}`));
  }
  expect(handled).toEqual(Array.from({ length: count }, (_value, id) => `text ${id}`));
});
