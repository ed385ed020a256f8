import { type SessionStore, textOf } from "@sessions/protocol";
import { type Place, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { type BotSession, type BotSessionOptions, createBotSession } from "../src/index.js";
import { dayStart } from "../src/reset/day-start.js";
import { SetClock } from "./set-clock.js";

/** A bot that is created again for each message, so that it keeps nothing in memory. */
class Restarted {
  readonly clock: SetClock;
  readonly ended: unknown[] = [];
  readonly started: unknown[] = [];
  readonly #place: Place;
  readonly #options: Partial<BotSessionOptions>;
  #id = 0;

  constructor(place: Place, now: string, options: Partial<BotSessionOptions>) {
    this.#place = place;
    this.clock = new SetClock(now);
    this.#options = options;
  }

  /** The number of messages that the model got. */
  async say(now: string): Promise<number> {
    this.clock.set(now);
    const { clock } = this;
    const store: SessionStore = await this.#place.open({ clock });
    const bot = createBotSession({
      store,
      platform: "test",
      scope: "user",
      respond: ({ messages }) => String(messages.length),
      onSessionEnd: ({ reason }) => void this.ended.push(reason),
      onSessionStart: ({ reason }) => void this.started.push(reason),
      ...this.#options,
      clock,
    });
    const { reply } = await bot.handle({ id: ++this.#id, user: 42, text: "x", at: clock.now() });
    await store.close();
    return Number(reply);
  }
}

describe.each(storeKinds)("on $name, across restarts", ({ place }) => {
  test("a new conversation begins after idleMs without activity", async () => {
    const bot = new Restarted(await place(), "2026-05-01T10:00:00Z", { reset: { idleMs: 3_600_000 } });
    expect(await bot.say("2026-05-01T10:00:00Z")).toBe(1);
    expect(await bot.say("2026-05-01T10:59:59Z")).toBe(3);
    expect(await bot.say("2026-05-01T11:59:59Z")).toBe(1);
    expect(await bot.say("2026-05-01T12:00:00Z")).toBe(3);
    expect(bot.ended).toEqual(["idle"]);
    expect(bot.started).toEqual(["new", "reset"]);
  });

  test("a new conversation begins daily at an hour of the configured time zone, also when clocks change", async () => {
    const daily = { hour: 4, timeZone: "Europe/Berlin" };
    const bot = new Restarted(await place(), "2026-03-28T12:00:00Z", { reset: { daily } });
    expect(await bot.say("2026-03-28T12:00:00Z")).toBe(1);
    // The night in which 02:00 becomes 03:00: four o'clock is 02:00Z, not 03:00Z.
    expect(await bot.say("2026-03-29T01:59:59Z")).toBe(3);
    expect(await bot.say("2026-03-29T02:00:00Z")).toBe(1);
    expect(await bot.say("2026-03-29T23:00:00Z")).toBe(3);
    // The night in which 03:00 becomes 02:00 again: four o'clock is 03:00Z.
    expect(await bot.say("2026-10-24T12:00:00Z")).toBe(1);
    expect(await bot.say("2026-10-25T02:59:59Z")).toBe(3);
    expect(await bot.say("2026-10-25T03:00:00Z")).toBe(1);
    expect(bot.ended).toEqual(["daily", "daily", "daily"]);
  });

  test("a new conversation begins after the configured number of turns", async () => {
    const bot = new Restarted(await place(), "2026-05-01T10:00:00Z", { reset: { turns: 2 } });
    const seen: number[] = [];
    for (let n = 0; n < 5; n++) seen.push(await bot.say("2026-05-01T10:00:00Z"));
    expect(seen).toEqual([1, 3, 1, 3, 1]);
    expect(bot.ended).toEqual(["turns", "turns"]);
  });
});

function isSaid(texts: readonly string[]): boolean {
  return texts.length === 2 && texts.every((text) => text !== "");
}

test("a reset archives the messages, and destroys them only with destroy: true", async () => {
  for (const destroy of [false, true]) {
    const shared = await storeKinds[0]?.place();
    if (shared === undefined) throw new Error("there is no store");
    const reset = { turns: 1, destroy };
    const bot = new Restarted(shared, "2026-05-01T10:00:00Z", { reset });
    for (let n = 0; n < 3; n++) await bot.say("2026-05-01T10:00:00Z");
    const store = await shared.open();
    const [session] = (await store.listSessions({ labels: { bot: "conversation" } })).items;
    expect(session?.messageCount).toBe(2);
    const archived = (session?.archives ?? []).map(({ id }) => store.getArchive(session?.id ?? "", id));
    const texts = (await Promise.all(archived)).map(({ messages }) => messages.map(textOf));
    // A destroyed conversation keeps ids and marks, by which updates are recognized, and no text.
    expect(texts).toEqual(destroy ? [[""], [""]] : [expect.toSatisfy(isSaid), expect.toSatisfy(isSaid)]);
  }
});

test("a recent message counts as activity, whether or not it was answered", async () => {
  const shared = await storeKinds[0]?.place();
  if (shared === undefined) throw new Error("there is no store");
  let isDown = false;
  const respond = ({ messages }: { readonly messages: readonly unknown[] }): string => {
    if (isDown) throw new Error("down");
    return String(messages.length);
  };
  const bot = new Restarted(shared, "2026-05-01T10:00:00Z", { reset: { idleMs: 3_600_000 }, respond });
  await bot.say("2026-05-01T10:00:00Z");
  isDown = true;
  await expect(bot.say("2026-05-01T10:30:00Z")).rejects.toThrow("down");
  isDown = false;
  expect(await bot.say("2026-05-01T11:20:00Z")).toBe(4);
});

const sayings: Readonly<Record<string, (bot: BotSession, id: number) => Promise<unknown>>> = {
  answered: (bot, id) => bot.handle({ id, user: 1, text: "news" }),
  recorded: (bot, id) => bot.record({ id, user: 1, text: "news" }),
  mirrored: (bot, id) => bot.mirror({ user: 1 }, { id, text: "news" }),
};

test.each(Object.keys(sayings))(
  "a message that was only %s counts as activity, by the clock of the bot",
  async (how) => {
    const say = sayings[how];
    const clock = new SetClock("2026-05-01T10:00:00Z");
    // The clock of the store shows another time.
    const store = await storeKinds[0]?.open();
    if (store === undefined || say === undefined) throw new Error("there is no store");
    const bot = createBotSession({
      store,
      clock,
      platform: "p",
      scope: "user",
      reset: { idleMs: 3_600_000 },
      respond: ({ messages }) =>
        messages.some((message) => textOf(message) === "first") ? "goes on" : "new",
    });
    await bot.handle({ id: 1, user: 1, text: "first" });
    clock.set("2026-05-01T10:50:00Z");
    await say(bot, 10);
    clock.set("2026-05-01T11:40:00Z");
    expect((await bot.handle({ id: 2, user: 1, text: "second" })).reply).toBe("goes on");
    clock.set("2026-05-01T13:00:00Z");
    await say(bot, 10); // again: that is nothing new
    expect((await bot.handle({ id: 3, user: 1, text: "third" })).reply).toBe("new");
  },
);

test.each(["handle", "record"] as const)(
  "a message with a time in the future does not prevent the end of its conversation (%s)",
  async (how) => {
    const clock = new SetClock("2026-05-01T10:00:00Z");
    const [kind] = storeKinds;
    const store = await (await kind?.place())?.open({ clock });
    if (store === undefined) throw new Error("there is no store");
    const respond = ({ messages }: { readonly messages: readonly unknown[] }): string => `${messages.length}`;
    const reset = { idleMs: 3_600_000 };
    const bot = createBotSession({ store, clock, platform: "p", scope: "user", reset, respond });
    await bot[how]({ id: 1, user: 1, text: "a", at: Date.parse("2036-05-01T10:00:00Z") });
    clock.set("2026-05-01T12:00:00Z");
    expect((await bot.handle({ id: 2, user: 1, text: "b" })).reply).toBe("1");
  },
);

test("a clock that was set back delays the end of a conversation by one message at most", async () => {
  const shared = await storeKinds[0]?.place();
  if (shared === undefined) throw new Error("there is no store");
  const bot = new Restarted(shared, "2026-05-02T10:00:00Z", { reset: { idleMs: 3_600_000 } });
  expect(await bot.say("2026-05-02T10:00:00Z")).toBe(1);
  expect(await bot.say("2026-05-01T10:00:00Z")).toBe(3);
  expect(await bot.say("2026-05-01T12:00:00Z")).toBe(1);
});

describe("dayStart", () => {
  const at = (now: string, hour: number, timeZone: string): string =>
    new Date(dayStart(Date.parse(now), hour, timeZone)).toISOString();

  test.each([
    ["2026-06-15T12:00:00Z", 0, "UTC", "2026-06-15T00:00:00.000Z"],
    ["2026-06-15T03:59:59Z", 4, "UTC", "2026-06-14T04:00:00.000Z"],
    ["2026-06-15T12:00:00Z", 23, "Pacific/Kiritimati", "2026-06-15T09:00:00.000Z"],
    ["2026-06-15T12:00:00Z", 6, "Asia/Kathmandu", "2026-06-15T00:15:00.000Z"],
    // 02:00 does not exist in this night; it would have been 01:00Z.
    ["2026-03-29T12:00:00Z", 2, "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
    // 02:00 comes twice; the first one counts.
    ["2026-10-25T12:00:00Z", 2, "Europe/Berlin", "2026-10-25T00:00:00.000Z"],
    ["2026-10-25T00:30:00Z", 2, "Europe/Berlin", "2026-10-25T00:00:00.000Z"],
  ] as const)("the last day start before %s, at %i o'clock in %s", (now, hour, timeZone, expected) => {
    expect(at(now, hour, timeZone)).toBe(expected);
  });
});
