import { systemClock } from "@sessions/protocol";
import { Gate, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { type BotSession, createBotSession } from "../src/index.js";

const DAY_MS = 86_400_000;

describe.each(storeKinds)("on $name", ({ place }) => {
  test.each([false, true])(
    "idle conversations end, one with a running turn does not (destroy: %s)",
    async (destroy) => {
      const store = await (await place()).open();
      const gate = new Gate();
      const ended: unknown[] = [];
      let laterMs = 0;
      const bot = createBotSession({
        store,
        // Only the clock of the bot is ahead, not that of the store.
        clock: { ...systemClock, now: () => systemClock.now() + laterMs },
        platform: "p",
        scope: "user",
        async respond({ update, messages }) {
          if (update.text === "slow") await gate.passed;
          return `${messages.length}`;
        },
        onSessionEnd: ({ reason, sessionId }) => void ended.push([reason, sessionId]),
      });
      for (const user of [1, 2]) await bot.handle({ id: `a${user}`, user, text: "x" });
      const slow = bot.handle({ id: "b2", user: 2, text: "slow" });
      await gate.reached;
      expect(await bot.endIdle({ idleMs: DAY_MS, destroy })).toBe(0);
      laterMs = 2 * DAY_MS;
      expect(await bot.endIdle({ idleMs: DAY_MS, destroy })).toBe(1);
      expect(ended).toEqual([["idle", await bot.sessionId({ user: 1 })]]);
      gate.open();
      expect((await slow).reply).toBe("3");
      expect((await bot.handle({ id: "c1", user: 1, text: "x" })).reply).toBe("1");
      const first = await store.getSession(await bot.sessionId({ user: 1 }));
      expect(first?.archives).toHaveLength(destroy ? 0 : 1);
    },
  );

  test("a conversation that has ended is not ended again", async () => {
    const store = await (await place()).open();
    const clock = { ...systemClock, now: () => systemClock.now() + 2 * DAY_MS };
    const bot = createBotSession({ store, clock, platform: "p", scope: "user", respond: () => "ok" });
    await bot.handle({ id: 1, user: 1, text: "x" });
    expect([await bot.endIdle({ idleMs: DAY_MS }), await bot.endIdle({ idleMs: DAY_MS })]).toEqual([1, 0]);
  });

  test.each([false, true])(
    "workers that call endIdle at the same time end each conversation once (destroy: %s)",
    async (destroy) => {
      const shared = await place();
      const clock = { ...systemClock, now: () => systemClock.now() + 2 * DAY_MS };
      const ended: string[] = [];
      const worker = async (): Promise<BotSession> =>
        createBotSession({
          store: await shared.open(),
          clock,
          platform: "p",
          scope: "user",
          respond: () => "ok",
          onSessionEnd: ({ sessionId }) => void ended.push(sessionId),
        });
      const workers = [await worker(), await worker(), await worker()];
      for (const user of [1, 2, 3]) await workers[0]?.handle({ id: user, user, text: "x" });
      const counts = await Promise.all(workers.map((one) => one.endIdle({ idleMs: DAY_MS, destroy })));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
      expect(new Set(ended).size).toBe(3);
      expect(ended).toHaveLength(3);
    },
  );

  test("an update that is delivered again is recognized after its conversation was archived, and new after its session was deleted", async () => {
    const store = await (await place()).open();
    const clock = { ...systemClock, now: () => systemClock.now() + 2 * DAY_MS };
    let runs = 0;
    const respond = (): string => `run ${++runs}`;
    const bot = createBotSession({ store, clock, platform: "p", scope: "user", respond });
    const update = { id: 1, user: 1, text: "x" };
    const { sessionId } = await bot.handle(update);
    await bot.endIdle({ idleMs: DAY_MS });
    expect(await bot.handle(update)).toMatchObject({ reply: "run 1", duplicate: true });
    await bot.handle({ ...update, id: 2 });
    await bot.endIdle({ idleMs: DAY_MS, destroy: true });
    expect(await store.sessionExists(sessionId)).toBe(false);
    expect(await bot.handle(update)).toMatchObject({ reply: "run 3", duplicate: false });
  });
});

test.each([false, true])(
  "endIdle ends only conversations of the bot's platform and account, also for a bot without an account (destroy: %s)",
  async (destroy) => {
    const [kind] = storeKinds;
    const store = await (await kind?.place())?.open();
    if (store === undefined) throw new Error("there is no store");
    const clock = { ...systemClock, now: () => systemClock.now() + 2 * DAY_MS };
    const names = [
      { platform: "p" },
      { platform: "q" },
      { platform: "p", account: "a" },
      { platform: "q", account: "a" },
      { platform: "p", account: "b" },
    ];
    const bots = names.map((name) =>
      createBotSession({ ...name, store, clock, scope: "user", respond: () => "ok" }),
    );
    for (const bot of bots) await bot.handle({ id: 1, user: 1, text: "x" });
    for (const [index, bot] of bots.entries()) {
      expect(await bot.endIdle({ idleMs: DAY_MS, destroy })).toBe(1);
      const live = await Promise.all(
        bots.map(async (one) => (await store.getSession(await one.sessionId({ user: 1 })))?.messages.length),
      );
      expect(live).toEqual(bots.map((_, n) => (n <= index ? (destroy ? undefined : 0) : 2)));
    }
  },
);

test("a bot that answers in a conversation of another account does not change its labels", async () => {
  const [kind] = storeKinds;
  const store = await (await kind?.place())?.open();
  if (store === undefined) throw new Error("there is no store");
  const clock = { ...systemClock, now: () => systemClock.now() + 2 * DAY_MS };
  const bot = (account?: string) =>
    createBotSession({ store, clock, platform: "p", account, scope: "user", respond: () => "ok" });
  await bot("a").handle({ id: 1, user: 1, text: "x" });
  await bot().link({ platform: "p", account: "a", user: 1 }, { platform: "p", user: 2 });
  await bot().record({ id: 2, user: 2, text: "x" });
  await bot().mirror({ user: 2 }, { id: 2, text: "x" });
  expect(await bot().endIdle({ idleMs: DAY_MS })).toBe(0);
  expect(await bot("a").endIdle({ idleMs: DAY_MS })).toBe(1);
});
