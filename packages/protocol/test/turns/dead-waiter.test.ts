import { expect, test } from "vitest";
import { createStore, type SessionStore } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";
import { ManualClock } from "./manual-clock.js";

/** Two stores on the same sessions: one in a live process, and one in a process that dies after it has queued. */
function twoProcesses() {
  const time = { now: 0 };
  const leaseClock = { domain: "this machine", now: () => time.now };
  const states = new MapBackend().states;
  const open = (): SessionStore =>
    createStore(Object.assign(new MapBackend(undefined, states), { leaseClock }), {
      clock: new ManualClock(), // its timers never fire
    });
  return { time, alive: open(), dead: open() };
}

test.each([
  { ttlMs: undefined, blockedMs: 10_000 },
  { ttlMs: 60_000, blockedMs: 10_000 },
  { ttlMs: 4_000, blockedMs: 4_000 },
])("a dead waiter with a ttlMs of $ttlMs blocks the queue for $blockedMs ms", async (how) => {
  const { time, alive, dead } = twoProcesses();
  const holder = await alive.beginTurn("s");
  if (holder.status !== "begun") throw new Error("the turn did not begin");
  void dead.beginTurn("s", { turnId: "waiter", waitMs: 600_000, ttlMs: how.ttlMs }).catch(() => undefined);
  await expect.poll(async () => (await alive.getSession("s"))?.turn?.waiting).toBe(1);
  await holder.turn.complete();
  time.now += how.blockedMs - 1;
  await expect(alive.beginTurn("s")).rejects.toMatchObject({ code: "TURN_BUSY", turnId: "waiter" });
  time.now += 1;
  expect(await alive.beginTurn("s")).toMatchObject({ status: "begun" });
});
