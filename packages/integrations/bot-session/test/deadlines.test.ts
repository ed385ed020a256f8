import { SessionError } from "@sessions/protocol";
import { Gate, ManualClock, memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import { type BotSessionOptions, createBotSession } from "../src/index.js";
import { withOutages } from "./failing-store.js";

const EXPIRED = expect.objectContaining({ code: "TURN_LOST", reason: "expired" });
const hang = (): Promise<never> => new Promise(() => undefined);

/** Lets all work run that does not wait for a timer. */
async function settled(): Promise<void> {
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
}

test("deadlineMs starts when an update arrives, and includes its time in the queue", async () => {
  const store = await memoryPlace().open();
  const clock = new ManualClock();
  const gates = [new Gate(), new Gate()];
  const respond: BotSessionOptions["respond"] = async ({ update }) => {
    await gates[Number(update.id)]?.passed;
    return "ok";
  };
  const unhurried = createBotSession({ store, platform: "p", scope: "user", respond });
  const bot = createBotSession({ store, clock, platform: "p", scope: "user", deadlineMs: 60_000, respond });
  const first = unhurried.handle({ id: 0, user: 42, text: "a" });
  await gates[0]?.reached;
  const late = bot.handle({ id: 1, user: 42, text: "b" });
  const ended = late.catch((error: unknown) => error);
  const sessionId = await bot.sessionId({ user: 42 });
  await expect.poll(async () => (await store.getSession(sessionId))?.turn?.waiting).toBe(1);
  clock.pass(59_999);
  gates[0]?.open();
  await first;
  await gates[1]?.reached; // its turn runs now, a millisecond before the deadline
  clock.pass(1);
  expect(await ended).toEqual(EXPIRED);
});

test("a hook may take a quarter of deadlineMs, and then its update is answered without it", async () => {
  const store = await memoryPlace().open();
  const clock = new ManualClock();
  const gate = new Gate();
  const told: unknown[] = [];
  let isAnswered = false;
  const bot = createBotSession({
    store,
    clock,
    platform: "p",
    scope: "user",
    deadlineMs: 60_000,
    respond: () => "ok",
    async onSessionStart() {
      void gate.passed;
      await hang();
    },
    onError: (error, { during }) => void told.push([SessionError.is(error, "TURN_LOST"), during]),
  });
  const handled = bot.handle({ id: 1, user: 42, text: "a" }).finally(() => {
    isAnswered = true;
  });
  await gate.reached;
  clock.pass(14_999);
  await settled();
  expect(isAnswered).toBe(false);
  clock.pass(1);
  expect(await handled).toMatchObject({ outcome: "answered", reply: "ok" });
  expect(told).toEqual([[true, "hook"]]);
});

test.each([
  ["shorter than half of ttlMs is not noticed by the caller", 14_999, "answered"],
  ["longer than half of ttlMs reaches the caller", 15_001, "STORE_BUSY"],
])("a store outage that is %s", async (_, outageMs, expected) => {
  const clock = new ManualClock();
  const startedAt = clock.monotonic();
  const store = withOutages(await memoryPlace().open(), () => clock.monotonic() - startedAt < outageMs);
  const bot = createBotSession({
    store,
    clock,
    platform: "p",
    scope: "user",
    ttlMs: 30_000,
    respond: () => "ok",
  });
  let told: unknown;
  const handled = bot.handle({ id: 1, user: 42, text: "a" }).then(
    ({ outcome }) => {
      told = outcome;
    },
    (error: unknown) => {
      told = SessionError.is(error) ? error.code : error;
    },
  );
  for (let n = 0; n < 100 && told === undefined; n++) {
    await settled();
    clock.pass(Math.min(...clock.waits));
  }
  await handled;
  expect(told).toBe(expected);
});
