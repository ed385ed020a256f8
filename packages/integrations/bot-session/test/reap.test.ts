import { describe, expect, test } from "vitest";
import { createBotSession } from "../src/index.js";
import { Gate } from "./gate.js";
import { SetClock } from "./set-clock.js";
import { storeKinds } from "./stores.js";

describe.each(storeKinds)("on $name", ({ place }) => {
  test.each([false, true])(
    "idle conversations end, one with a running turn does not (destroy: %s)",
    async (destroy) => {
      const clock = new SetClock("2026-05-01T10:00:00Z");
      const store = await (await place()).open({ clock });
      const gate = new Gate();
      const ended: unknown[] = [];
      const bot = createBotSession({
        store,
        clock,
        platform: "p",
        scope: "user",
        async respond({ update, messages }) {
          if (update.text === "slow") await gate.passed;
          return `${messages.length}`;
        },
        ttlMs: 30 * 86_400_000,
        onSessionEnd: ({ reason, sessionId }) => void ended.push([reason, sessionId]),
      });
      for (const user of [1, 2]) await bot.handle({ id: `a${user}`, user, text: "x" });
      const slow = bot.handle({ id: "b2", user: 2, text: "slow" });
      await gate.reached;
      clock.set("2026-05-03T10:00:00Z");
      await bot.handle({ id: "a3", user: 3, text: "x" });
      expect(await bot.reap({ idleMs: 86_400_000, destroy })).toBe(1);
      expect(await bot.reap({ idleMs: 86_400_000, destroy })).toBe(0);
      expect(ended).toEqual([["reaped", await bot.sessionId({ user: 1 })]]);
      gate.open();
      expect((await slow).reply).toBe("3");
      expect((await bot.handle({ id: "c1", user: 1, text: "x" })).reply).toBe("1");
      expect((await bot.handle({ id: "c3", user: 3, text: "x" })).reply).toBe("3");
      const first = await store.getSession(await bot.sessionId({ user: 1 }));
      expect(first?.archives).toHaveLength(destroy ? 0 : 1);
    },
  );
});
