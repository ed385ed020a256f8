import { append } from "@sessions/protocol/backend";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Case } from "../../case.js";
import { assistant, user } from "../../samples/messages.js";
import { openSkewed } from "../../samples/open-skewed.js";
import { startTurn } from "../../samples/start-turn.js";

const HOUR_MS = 3_600_000;
const LEASE_MS = 250;
const WAIT_MS = 30_000;
/** A store's clock may count whole milliseconds and round down. */
const CLOCK_STEP_MS = 2;
/** Long enough for a live turn to survive a loaded machine's pause of a second. */
const LIVE_LEASE_MS = 2_000;

const skewedClocks: readonly Case[] = [HOUR_MS, -HOUR_MS].flatMap((aheadMs) => {
  const skewed = `a store whose wall clock is an hour ${aheadMs > 0 ? "ahead" : "behind"}`;
  return [
    behaviour(`${skewed} cannot take over or end a live turn`, ["G7"], async (store, context) => {
      const turn = await startTurn(store, "s", { ttlMs: LIVE_LEASE_MS, messages: user("go") });
      const other = await openSkewed(context, aheadMs);
      await expectError(other.beginTurn("s"), "TURN_BUSY");
      await expectError(other.clearSession("s"), "TURN_BUSY");
      await expectError(other.addMessage("s", user("x"), { ifIdle: true }), "TURN_BUSY");
      // Longer than the lease: the holder renews it meanwhile, and the other store must notice that.
      await expectError(other.beginTurn("s", { waitMs: 1.5 * LIVE_LEASE_MS }), "TURN_BUSY");
      expect(turn.signal.aborted).toBe(false);
      await turn.complete([append(assistant("done"))]);
      expect((await existingSession(store, "s")).lastTurn).toMatchObject({ outcome: "completed" });
    }),
    behaviour(
      `${skewed} takes over a dead turn when its lease has ended, and not before`,
      ["G7"],
      async (store, context) => {
        const other = await openSkewed(context, aheadMs);
        const askedAt = performance.now();
        await startTurn(store, "s", { turnId: "dead", ttlMs: LEASE_MS, renew: false });
        await startTurn(other, "s", { turnId: "heir", waitMs: WAIT_MS });
        expect(performance.now() - askedAt).toBeGreaterThanOrEqual(LEASE_MS - CLOCK_STEP_MS);
        expect(await existingSession(store, "s")).toMatchObject({
          turn: { turnId: "heir" },
          lastTurn: { turnId: "dead", outcome: "interrupted" },
        });
      },
    ),
    behaviour(
      `${skewed} takes over a dead turn by retrying without waitMs`,
      ["G7"],
      async (store, context) => {
        const other = await openSkewed(context, aheadMs);
        await startTurn(store, "s", { turnId: "dead", ttlMs: LEASE_MS, renew: false });
        const heir = await eventually(() => startTurn(other, "s", { turnId: "heir" }));
        expect(heir.turnId).toBe("heir");
      },
    ),
    behaviour(`${skewed} can clear a session whose turn is dead`, ["G7"], async (store, context) => {
      const other = await openSkewed(context, aheadMs);
      const dead = await startTurn(store, "s", { ttlMs: LEASE_MS, renew: false, messages: user("old") });
      await eventually(() => other.clearSession("s"));
      await expectError(dead.append(assistant("late")), "TURN_LOST");
      expect(await store.getChatHistory("s")).toEqual([]);
    }),
  ];
});

/** Cases about when a turn can be taken over. */
export const turnTakeover: readonly Case[] = [
  ...skewedClocks,
  behaviour(
    "a lease that an earlier version wrote without a clock ends after it was seen unchanged for its ttlMs",
    ["G7", "G20"],
    async (store, { openBackend }) => {
      const begun = { op: "turn", action: "begin", turnId: "old", nonce: "n", ttlMs: LEASE_MS } as const;
      const at = Date.now() - HOUR_MS;
      const backend = await openBackend();
      const begunAt = performance.now();
      await backend.commit([{ sessionId: "s", id: "c1", at, ops: [begun] }]);
      await expectError(store.beginTurn("s"), "TURN_BUSY");
      await startTurn(store, "s", { waitMs: WAIT_MS });
      expect(performance.now() - begunAt).toBeGreaterThanOrEqual(LEASE_MS - CLOCK_STEP_MS);
    },
  ),
  behaviour(
    "a turn whose store was closed stays until its lease ends",
    ["G7", "G19"],
    async (store, { open }) => {
      const other = await open();
      const askedAt = performance.now();
      await startTurn(store, "s", { turnId: "cut off", ttlMs: LEASE_MS, messages: user("go") });
      await store.close();
      expect((await existingSession(other, "s")).turn).toMatchObject({ turnId: "cut off" });
      await startTurn(other, "s", { turnId: "next", waitMs: WAIT_MS });
      expect(performance.now() - askedAt).toBeGreaterThanOrEqual(LEASE_MS - CLOCK_STEP_MS);
      expect((await existingSession(other, "s")).lastTurn).toMatchObject({
        turnId: "cut off",
        outcome: "interrupted",
      });
    },
  ),
];
