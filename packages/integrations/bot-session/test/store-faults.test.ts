import { type SessionStore, systemClock, textOf } from "@sessions/protocol";
import { FAULT_CODES, failingStore, type StoreFault } from "test-tools";
import { afterAll, describe, expect, test } from "vitest";
import { type BotReply, type BotSession, type BotSessionOptions, createBotSession } from "../src/index.js";

const TTL_MS = 2000;
const HOUR_MS = 3_600_000;
const update = { id: 1, user: 42, text: "question" };
const ann = { platform: "p", user: 42 };
const elsewhere = { platform: "q", user: 7 };

let combinations = 0;
afterAll(() => console.log(`${combinations} combinations of one fault and one delivery`));

/** Prepares the conversation before the update, with a store that does not fail. */
const befores: Readonly<Record<string, (bot: BotSession) => Promise<unknown>>> = {
  "a new conversation": async () => undefined,
  "a reset that is due": (bot) => bot.handle({ id: 0, user: 42, text: "before" }),
  async "a link that was just made"(bot) {
    await bot.handle({ id: 0, user: 42, text: "before" });
    await bot.link(elsewhere, ann);
  },
  "the same question, which failed": (bot) =>
    expect(bot.handle({ ...update, metadata: { fails: true } })).rejects.toThrow("down"),
};

function botOn(store: SessionStore, laterMs: number, options: Partial<BotSessionOptions>): BotSession {
  let runs = 0;
  return createBotSession({
    store,
    clock: { ...systemClock, now: () => systemClock.now() + laterMs },
    platform: "p",
    scope: "user",
    ttlMs: TTL_MS,
    reset: { idleMs: HOUR_MS },
    respond({ update: { text, metadata } }) {
      if (metadata?.["fails"] === true) throw new Error("down");
      return `answer ${++runs} to ${text}`;
    },
    ...options,
  });
}

/** Delivers an update with a fault, then again. The replies and the stored messages must agree. */
async function delivered(
  busy: NonNullable<BotSessionOptions["busy"]>,
  before: string,
  fault?: StoreFault,
): Promise<readonly string[]> {
  const { store, sound, calls } = failingStore(fault);
  await befores[before]?.(botOn(sound, 0, { busy }));
  const bot = botOn(store, before === "a reset that is due" ? 2 * HOUR_MS : 0, { busy });
  const first = await bot.handle(update).catch((error: unknown) => error);
  const again = await retried(bot);
  expect(again).toMatchObject({ outcome: "answered", reply: expect.stringContaining("to question") });
  if (!(first instanceof Error)) expect(first).toMatchObject({ reply: again.reply });
  await expectStoredOnce(sound, again);
  const next = botOn(sound, 0, { busy });
  expect((await next.handle({ id: 2, user: 42, text: "next" })).reply).toContain("to next");
  return calls;
}

/** Delivers again while the conversation is busy: a turn whose end was not saved expires. */
async function retried(bot: BotSession): Promise<BotReply> {
  const until = systemClock.monotonic() + 30_000;
  for (;;) {
    try {
      return await bot.handle(update);
    } catch (error) {
      if (systemClock.monotonic() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function expectStoredOnce(sound: SessionStore, { sessionId, reply }: BotReply): Promise<void> {
  const texts: string[] = [];
  for await (const { id } of sound.listSessions({ labels: { bot: "conversation" } })) {
    const session = await sound.getSession(id);
    expect(session?.turn).toBeUndefined();
    texts.push(...(session?.messages ?? []).map(textOf));
    for (const archive of session?.archives ?? [])
      texts.push(...(await sound.getArchive(id, archive.id)).messages.map(textOf));
  }
  expect(texts.filter((text) => text === "question")).toHaveLength(1);
  expect(texts.filter((text) => text.endsWith("to question"))).toEqual([reply]);
  const live = (await sound.getSession(sessionId))?.messages.map(textOf) ?? [];
  expect(live.slice(-2)).toEqual(["question", reply]);
}

describe.each(["queue", "merge", "interrupt", "reject"] as const)("busy: %s", (busy) => {
  test.concurrent.each(Object.keys(befores))(
    "with %s, any single store fault leaves one prompt, one answer and no running turn",
    async (before) => {
      const { length } = await delivered(busy, before);
      const faults = Array.from({ length }, (_, call) => call).flatMap((call) =>
        FAULT_CODES.flatMap((code) => (["before", "after"] as const).map((when) => ({ call, when, code }))),
      );
      combinations += faults.length;
      const failures: string[] = [];
      const attempt = (fault: StoreFault) =>
        delivered(busy, before, fault).catch((error: unknown) =>
          failures.push(`${JSON.stringify(fault)}: ${String(error).slice(0, 300)}`),
        );
      for (let at = 0; at < faults.length; at += 80)
        await Promise.all(faults.slice(at, at + 80).map(attempt));
      expect(failures).toEqual([]);
    },
    120_000,
  );
});

test.each(["queue", "merge", "interrupt", "reject"] as const)(
  "a store that is busy once, at any call, does not fail an update (busy: %s)",
  async (busy) => {
    for (const before of Object.keys(befores)) {
      const { length } = await delivered(busy, before);
      const deliver = async (call: number): Promise<unknown> => {
        const { store, sound } = failingStore({ call, when: "before", code: "STORE_BUSY" });
        await befores[before]?.(botOn(sound, 0, { busy }));
        const laterMs = before === "a reset that is due" ? 2 * HOUR_MS : 0;
        return botOn(store, laterMs, { busy, ttlMs: 30_000 })
          .handle(update)
          .then(
            ({ outcome, duplicate }) => [outcome, duplicate],
            (error: unknown) => `call ${call}: ${String(error)}`,
          );
      };
      const outcomes = await Promise.all(Array.from({ length }, (_, call) => deliver(call)));
      expect(outcomes).toEqual(outcomes.map(() => ["answered", false]));
    }
  },
  60_000,
);

test.each([
  ["record", (bot: BotSession) => bot.record(update)],
  ["mirror", (bot: BotSession) => bot.mirror(update, { id: 1, text: "news" })],
  ["/new", (bot: BotSession) => bot.handle({ id: 9, user: 42, text: "/new" })],
  ["reset", (bot: BotSession) => bot.reset(update)],
  ["link", (bot: BotSession) => bot.link(elsewhere, ann)],
  ["unlink", (bot: BotSession) => bot.unlink(ann)],
] as const)(
  "a store that is busy once, before or after its effect, does not fail %s, and nothing is stored twice",
  async (_, act) => {
    const prepared = async (fault?: StoreFault) => {
      const failing = failingStore(fault);
      const sound = botOn(failing.sound, 0, {});
      await sound.handle({ id: 0, user: 42, text: "before" });
      await sound.link(elsewhere, ann);
      await sound.handle({ id: 3, user: 42, text: "linked" });
      return { ...failing, bot: botOn(failing.store, 0, { ttlMs: 30_000 }) };
    };
    const whole = await prepared();
    const result = await act(whole.bot);
    const state = async ({ sound }: Awaited<ReturnType<typeof prepared>>): Promise<unknown> => {
      const sessions: unknown[] = [];
      for await (const { id } of sound.listSessions({ order: "id-asc" })) {
        const session = await sound.getSession(id);
        sessions.push([id, session?.labels, session?.messages.map(textOf), session?.archives.length]);
      }
      return sessions;
    };
    const expected = await state(whole);
    for (const when of ["before", "after"] as const)
      for (let call = 0; call < whole.calls.length; call++) {
        const code = when === "before" ? "STORE_BUSY" : "OUTCOME_UNKNOWN";
        const failing = await prepared({ call, when, code });
        const known =
          typeof result === "object" && "revision" in result ? { revision: expect.any(Number) } : {};
        const wanted = typeof result === "object" ? { ...result, ...known } : result;
        expect(await act(failing.bot), `${when} ${whole.calls[call]}`).toEqual(wanted);
        expect(await state(failing)).toEqual(expected);
      }
  },
);
