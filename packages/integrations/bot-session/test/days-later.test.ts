import { memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import { createBotSession } from "../src/index.js";
import { SetClock } from "./set-clock.js";

test("an update is recognized as long as its session exists, even after resets and after its turn id is evicted", async () => {
  const clock = new SetClock("2026-05-01T10:00:00Z");
  const store = await memoryPlace().open({ clock });
  let runs = 0;
  const bot = createBotSession({
    store,
    clock,
    platform: "p",
    scope: "user",
    reset: { turns: 10 },
    respond: ({ update }) => `run ${++runs} to ${update.text}`,
  });
  const handle = (id: number) => bot.handle({ id, user: 1, text: `text ${id}` });
  const first = await handle(0);
  for (const day of ["02", "04", "06"]) {
    clock.set(`2026-05-${day}T10:00:00Z`);
    for (let n = 1; n <= 260; n++) await handle(Number(day) * 1000 + n);
  }
  const forgotten = await store.beginTurn(first.sessionId, { turnId: "update/p//0" });
  expect(forgotten.status).toBe("begun"); // the store would run this turn id again
  if (forgotten.status === "begun") await forgotten.turn.release();
  expect(await handle(0)).toMatchObject({ reply: first.reply, duplicate: true });
  expect(await handle(2005)).toMatchObject({ duplicate: true });
  expect(runs).toBe(781);
});

test("an update whose message a rewritten history left out is recognized until its turn id is evicted", async () => {
  const clock = new SetClock("2026-05-01T10:00:00Z");
  const store = await memoryPlace().open({ clock });
  const bot = createBotSession({
    store,
    clock,
    platform: "p",
    scope: "user",
    respond: ({ messages, update }) =>
      update.id === 1
        ? { history: [...messages.slice(-1), { role: "assistant", content: "shortened" }] }
        : `to ${update.id}`,
  });
  const handle = (id: number) => bot.handle({ id, user: 1, text: `text ${id}` });
  await handle(0);
  await handle(1);
  clock.set("2026-05-02T09:59:59Z");
  for (let id = 2; id < 258; id++) await handle(id);
  expect(await handle(0)).toMatchObject({ reply: undefined, duplicate: true });
  clock.set("2026-05-03T10:00:01Z");
  for (let id = 258; id < 514; id++) await handle(id);
  expect(await handle(0)).toMatchObject({ reply: "to 0", duplicate: false });
});

test("a prompt that was archived without an answer is answered when it is delivered again", async () => {
  const clock = new SetClock("2026-05-01T10:00:00Z");
  const store = await memoryPlace().open({ clock });
  let isDown = true;
  const seen: unknown[] = [];
  const bot = createBotSession({
    store,
    clock,
    platform: "p",
    scope: "user",
    reset: { idleMs: 3_600_000 },
    respond({ messages, update }) {
      if (isDown) throw new Error("down");
      seen.push(messages.map(({ content }) => content));
      return `to ${update.text}`;
    },
  });
  const lost = { id: 1, user: 1, text: "important" };
  await expect(bot.handle(lost)).rejects.toThrow("down");
  clock.set("2026-05-01T12:00:00Z");
  await expect(bot.handle({ id: 2, user: 1, text: "later" })).rejects.toThrow("down"); // after a reset
  await expect(bot.handle(lost)).rejects.toThrow("down");
  clock.set("2026-05-01T14:00:00Z");
  isDown = false;
  expect((await bot.handle({ id: 3, user: 1, text: "now" })).reply).toBe("to now"); // and another one
  expect(await bot.handle(lost)).toMatchObject({ reply: "to important", duplicate: false });
  expect(seen.at(-1)).toEqual(["now", "to now", "important"]);
  expect(await bot.handle(lost)).toMatchObject({ reply: "to important", duplicate: true });
});
