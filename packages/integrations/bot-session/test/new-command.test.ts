import { Gate, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { countingBot } from "./counting-bot.js";

describe.each(storeKinds)("on $name", ({ place }) => {
  test("/new during a turn resets the conversation, and the turn does not write the old history back", async () => {
    const store = await (await place()).open();
    const gate = new Gate();
    const bot = countingBot(store, {
      async respond({ messages, update }) {
        if (update.id === 2) await gate.passed;
        return messages.map(({ content }) => content).join("|");
      },
    });
    await bot.handle({ id: 1, user: 42, text: "secret" });
    const slow = bot.handle({ id: 2, user: 42, text: "slow" });
    await gate.reached;
    expect(await bot.handle({ id: 3, user: 42, text: "/new" })).toMatchObject({ outcome: "reset" });
    gate.open();
    expect(await slow).toMatchObject({ outcome: "superseded", reply: undefined });
    expect(await bot.handle({ id: 4, user: 42, text: "fresh" })).toMatchObject({ reply: "fresh" });
    const session = await store.getSession(await bot.sessionId({ user: 42 }));
    expect(session?.messages.map(({ content }) => content)).toEqual(["fresh", "fresh"]);
    const context = await store.getContext(session?.id ?? "", { maxTokens: 1000 });
    expect(JSON.stringify(context.messages)).not.toContain("secret");
    // The archived prompt and command are recognized when they come again: nothing runs, and nothing is reset.
    for (const [id, text, outcome] of [
      [2, "slow", "superseded"],
      [3, "/new", "reset"],
    ] as const)
      expect(await bot.handle({ id, user: 42, text })).toMatchObject({ outcome, duplicate: true });
    expect(await store.getSession(session?.id ?? "")).toEqual(session);
  });

  test.each(["/new", "reset"])(
    "a turn that %s ends in one commit is superseded, even if the reset destroys, and stays superseded",
    async (how) => {
      const store = await (await place()).open();
      const gate = new Gate();
      const bot = countingBot(store, {
        reset: { destroy: true },
        async respond({ messages, update }) {
          if (update.id === 1) await gate.passed;
          return messages.map(({ content }) => content).join("|");
        },
      });
      const update = { id: 1, user: 42, text: "secret" };
      const cut = bot.handle(update);
      await gate.reached;
      const { revision = 0 } = (await store.getSession(await bot.sessionId(update))) ?? {};
      if (how === "/new") await bot.handle({ id: 2, user: 42, text: "/new" });
      else expect(await bot.reset({ user: 42 })).toBe(true);
      const reset = await store.getSession(await bot.sessionId(update));
      expect([reset?.revision, reset?.messages, reset?.turn]).toEqual([revision + 1, [], undefined]);
      gate.open();
      expect(await cut).toMatchObject({ outcome: "superseded", reply: undefined });
      expect(await bot.handle(update)).toMatchObject({ outcome: "superseded", duplicate: true });
      expect((await bot.handle({ id: 3, user: 42, text: "fresh" })).reply).toBe("fresh");
      expect(JSON.stringify(await store.exportSession(await bot.sessionId(update)))).not.toContain("secret");
    },
  );

  test.each(["queue", "merge"] as const)(
    "updates that wait when /new comes are answered in the new conversation (busy: %s)",
    async (busy) => {
      const store = await (await place()).open();
      const gate = new Gate();
      const bot = countingBot(store, {
        busy,
        async respond({ messages, update }) {
          if (update.id === 1) await gate.passed;
          return messages.map(({ content }) => content).join("|");
        },
      });
      const cut = bot.handle({ id: 1, user: 42, text: "secret" });
      await gate.reached;
      const waiting = [2, 3].map((id) => bot.handle({ id, user: 42, text: `m${id}` }));
      const sessionId = await bot.sessionId({ user: 42 });
      await expect.poll(async () => (await store.getSession(sessionId))?.turn?.waiting).toBe(2);
      await bot.handle({ id: 4, user: 42, text: "/new" });
      gate.open();
      expect(await cut).toMatchObject({ outcome: "superseded", reply: undefined });
      const replies = await Promise.all(waiting);
      expect(replies.map(({ outcome }) => outcome)).toEqual(["answered", "answered"]);
      expect(replies.map(({ reply }) => reply)).toEqual(["m2", "m2|m2|m3"]);
      expect(await bot.handle({ id: 3, user: 42, text: "m3" })).toMatchObject({
        reply: "m2|m2|m3",
        duplicate: true,
      });
    },
  );

  test("a prompt that failed before /new is in the new conversation only after it is delivered again", async () => {
    const store = await (await place()).open();
    let isDown = true;
    const bot = countingBot(store, {
      busy: "merge",
      respond({ messages }) {
        if (isDown) throw new Error("down");
        return messages.map(({ content }) => content).join("|");
      },
    });
    await expect(bot.handle({ id: 1, user: 42, text: "secret" })).rejects.toThrow("down");
    isDown = false;
    await bot.handle({ id: 2, user: 42, text: "/new" });
    expect((await bot.handle({ id: 3, user: 42, text: "fresh" })).reply).toBe("fresh");
    expect((await bot.handle({ id: 1, user: 42, text: "secret" })).reply).toBe("fresh|fresh|secret");
  });
});
