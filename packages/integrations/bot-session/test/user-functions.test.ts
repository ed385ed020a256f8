import { type SessionStore, systemClock } from "@sessions/protocol";
import {
  type HostileFunction,
  hostileFunctions,
  memoryPlace,
  refuseUnhandledRejections,
  withTestCleanup,
} from "test-tools";
import { describe, expect, test } from "vitest";
import { type BotWebhookOptions, createBotWebhook } from "../src/fetch/index.js";
import { type BotSession, type BotSessionOptions, type BotUpdate, createBotSession } from "../src/index.js";

/** Long enough for a slow machine. Only a function that hangs takes this long. */
const deadlineOf = ({ hangs }: HostileFunction): number => (hangs ? 3000 : 30_000);

refuseUnhandledRejections();

function botOn(store: SessionStore, options: Partial<BotSessionOptions>): BotSession {
  return createBotSession({
    store,
    platform: "p",
    scope: "user",
    respond: ({ update }) => `to ${update.id}`,
    ...options,
  });
}

/** Misbehaves in its first call, and works in later calls. */
function once<Args extends readonly unknown[], Result>(
  hostile: HostileFunction,
  sound: (...args: Args) => Result,
): (...args: Args) => Result {
  let calls = 0;
  // A hostile function returns no `Result`, which is what the test tries.
  return (...args) => (++calls === 1 ? (hostile.call() as Result) : sound(...args));
}

const update: BotUpdate = { id: 1, user: 1, text: "hi" };
const next: BotUpdate = { id: 2, user: 1, text: "next" };

/** Each user function, and a bot that calls it with the first update. */
const places: Readonly<
  Record<string, (hostile: HostileFunction) => Partial<BotSessionOptions> & { readonly fails?: boolean }>
> = {
  respond: (hostile) => ({
    respond: once(hostile, ({ update: { id } }) => `to ${id}`),
    fails: !["returns undefined", "returns null"].includes(hostile.how),
  }),
  identity: (hostile) => ({
    identity: once(hostile, () => undefined),
    fails: hostile.how !== "returns undefined",
  }),
  onSessionStart: (hostile) => ({ onSessionStart: once(hostile, () => undefined) }),
  onError: (hostile) => ({
    onError: () => hostile.call() as undefined,
    onSessionStart() {
      throw new Error("the hook is broken");
    },
  }),
  "onError, told of a failed turn": (hostile) => ({
    onError: () => hostile.call() as undefined,
    respond({ update: { id } }) {
      if (id === 1) throw new Error("the model is down");
      return `to ${id}`;
    },
    fails: true,
  }),
};

describe.concurrent.each(Object.keys(places))("%s", (name) => {
  test.for(hostileFunctions())(
    "a function that $how does not prevent the end of its turn, nor the answer to the next update",
    withTestCleanup(async (hostile) => {
      const store = await memoryPlace().open();
      const { fails = false, ...options } = places[name]?.(hostile) ?? {};
      const bot = botOn(store, { ...options, deadlineMs: deadlineOf(hostile) });
      const handled = bot.handle(update).then(
        ({ outcome }) => outcome,
        () => "rejected",
      );
      expect(await handled).toBe(fails ? "rejected" : "answered");
      const session = await store.getSession(await bot.sessionId(update));
      expect(session?.turn).toBeUndefined();
      const unhurried = botOn(store, options);
      expect((await unhurried.handle(next)).reply).toBe("to 2");
      const again = unhurried.handle(update);
      if (name === "onError, told of a failed turn") await expect(again).rejects.toThrow("the model is down");
      else expect(await again).toMatchObject({ outcome: "answered", duplicate: !fails });
    }),
  );
});

describe.concurrent.each(["idle", "command", "reset", "endIdle"])("onSessionEnd after %s", (reason) => {
  test.for(hostileFunctions())(
    "an onSessionEnd that $how does not prevent the end of the conversation, nor the answer to the next update",
    withTestCleanup(async (hostile) => {
      const store = await memoryPlace().open();
      let laterMs = 0;
      const bot = botOn(store, {
        clock: { ...systemClock, now: () => systemClock.now() + laterMs },
        deadlineMs: deadlineOf(hostile),
        reset: { idleMs: 3_600_000 },
        onSessionEnd: once(hostile, () => undefined),
        respond: ({ messages }) => `${messages.length}`,
      });
      await bot.handle({ id: 0, user: 1, text: "before" });
      const ends: Readonly<Record<string, () => Promise<unknown>>> = {
        command: () => bot.handle({ id: 1, user: 1, text: "/new" }),
        reset: () => bot.reset({ user: 1 }),
        async endIdle() {
          laterMs = 7_200_000;
          expect(await bot.endIdle({ idleMs: 3_600_000 })).toBe(1);
        },
        async idle() {
          laterMs = 7_200_000;
          await bot.handle(update).then(
            ({ reply }) => expect(reply).toBe("1"),
            () => expect(hostile.hangs).toBe(true),
          );
        },
      };
      await ends[reason]?.();
      const session = await store.getSession(await bot.sessionId(update));
      expect(session?.turn).toBeUndefined();
      expect(session?.archives).toHaveLength(1);
      expect((await bot.handle(next)).outcome).toBe("answered");
    }),
  );
});

test.concurrent.for(hostileFunctions())(
  "a summarize that $how does not prevent the end of its turn, nor the answer to the next update",
  withTestCleanup(async (hostile) => {
    const store = await memoryPlace().open();
    const summarize = once(hostile, () => "a summary");
    const history = { maxTokens: 2, keepTokens: 1, countTokens: () => 1, summarize };
    const bot = botOn(store, { history, deadlineMs: deadlineOf(hostile) });
    await bot.handle({ id: 10, user: 1, text: "before" });
    await bot.handle(update).then(
      ({ reply }) => expect(reply).toBe("to 1"),
      () => expect(hostile.hangs).toBe(true),
    );
    expect((await store.getSession(await bot.sessionId(update)))?.turn).toBeUndefined();
    expect((await botOn(store, { history }).handle(next)).reply).toBe("to 2");
  }),
);

const callbacks: Readonly<Record<string, (hostile: HostileFunction) => Partial<BotWebhookOptions>>> = {
  read: (hostile) => ({ read: once(hostile, async (request: Request) => JSON.parse(await request.text())) }),
  send: (hostile) => ({ send: once(hostile, async () => undefined) }),
  onError: (hostile) => ({
    onError: () => hostile.call() as undefined,
    send: once(
      { ...hostile, call: () => Promise.reject(new Error("the platform is down")) },
      async () => undefined,
    ),
  }),
};

describe.concurrent.each(Object.keys(callbacks))("%s of a webhook", (name) => {
  test.for(hostileFunctions())(
    "a webhook whose callback $how responds in time, and serves the next request",
    withTestCleanup(async (hostile) => {
      const store = await memoryPlace().open();
      const webhook = createBotWebhook({
        bot: botOn(store, {}),
        deadlineMs: deadlineOf(hostile),
        read: async (request) => JSON.parse(await request.text()),
        ...callbacks[name]?.(hostile),
      });
      const post = async (body: BotUpdate): Promise<number> =>
        (await webhook(new Request("http://bot/", { method: "POST", body: JSON.stringify(body) }))).status;
      const isSilent = !hostile.hangs && hostile.how.startsWith("returns") && !hostile.how.endsWith("throws");
      const expected = {
        read: hostile.hangs ? 500 : hostile.how === "returns undefined" ? 204 : 400,
        send: isSilent ? 200 : 500,
        onError: 500,
      };
      expect(await post(update)).toBe(Reflect.get(expected, name));
      expect(await post(update)).toBe(200);
      expect(await post(next)).toBe(200);
    }),
  );
});

test("a function that hangs delays its conversation until the deadline, and no other conversation", async () => {
  const store = await memoryPlace().open();
  const [hanging] = hostileFunctions();
  if (hanging === undefined) throw new Error("there is no hostile function");
  const bot = botOn(store, { identity: once(hanging, () => undefined), deadlineMs: deadlineOf(hanging) });
  const stuck = bot.handle(update);
  const behind = bot.handle(next);
  expect((await bot.handle({ id: 3, user: 2, text: "other" })).reply).toBe("to 3");
  await expect(stuck).rejects.toThrow("no answer within");
  await Promise.allSettled([behind]);
  expect((await bot.handle({ id: 4, user: 1, text: "later" })).reply).toBe("to 4");
});

test("a callback that fails does not replace the error of the turn", async () => {
  const store = await memoryPlace().open();
  const bot = botOn(store, {
    respond() {
      throw new Error("the model is down");
    },
    onError() {
      throw new Error("the log is down");
    },
  });
  await expect(bot.handle(update)).rejects.toThrow("the model is down");
});

test.concurrent.for(["queue", "merge", "interrupt", "reject"] as const)(
  "an update is answered before its deadline although all hooks hang (busy: %s)",
  withTestCleanup(async (busy) => {
    const store = await memoryPlace().open();
    const hang = (): Promise<never> => new Promise(() => undefined);
    const bot = createBotSession({
      store,
      platform: "p",
      scope: "user",
      busy,
      deadlineMs: 400,
      reset: { turns: 1 },
      onSessionStart: hang,
      onSessionEnd: hang,
      respond: () => "ok",
    });
    for (const id of [1, 2, 3])
      expect(await bot.handle({ id, user: 42, text: "hi" })).toMatchObject({ reply: "ok" });
  }),
);
