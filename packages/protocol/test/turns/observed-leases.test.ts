import { describe, expect, test } from "vitest";
import type { TurnState } from "../../src/backend/session-record.js";
import { ObservedLeases } from "../../src/leases/observed-leases.js";

/** A clock that the test sets: the wall time may jump, the monotonic time only grows. */
function handClock() {
  const time = { wall: 1_000_000, monotonic: 0 };
  return { time, now: () => time.wall, monotonic: () => time.monotonic, after: () => () => undefined };
}

function seenBy(clock: ReturnType<typeof handClock>): ObservedLeases {
  return new ObservedLeases(clock, { domain: "here", now: () => clock.time.monotonic });
}

const lease: TurnState = {
  turnId: "t",
  token: "1.a",
  renewals: 0,
  ttlMs: 100,
  startedAt: 1_000_000,
  expiresAt: 1_000_100,
  domain: "elsewhere",
  until: 17,
};
const held = { turn: lease, queue: [] };
const renewed = { turn: { ...lease, renewals: 1 }, queue: [] };

describe("a lease of another time domain", () => {
  test("is over once it was seen unchanged for its time to live, even if the wall clock was set back by an hour", () => {
    const clock = handClock();
    const leases = seenBy(clock);
    leases.observe("s", held);
    clock.time.wall -= 3_600_000;
    clock.time.monotonic += 99;
    expect(leases.unchanged("s")).toEqual([]);
    clock.time.monotonic += 1;
    expect(leases.unchanged("s")).toEqual([{ token: "1.a", renewals: 0 }]);
    expect(leases.unchanged("another session")).toEqual([]);
  });

  test("is not over because the wall clock was set forward by an hour", () => {
    const clock = handClock();
    const leases = seenBy(clock);
    leases.observe("s", held);
    clock.time.wall += 3_600_000;
    clock.time.monotonic += 40;
    expect(leases.unchanged("s")).toEqual([]);
    expect(leases.untilOverMs("s", lease)).toBe(60);
    expect(leases.untilWorthTryingMs("s", lease)).toBe(0);
  });

  test("restarts with every renewal that is seen", () => {
    const clock = handClock();
    const leases = seenBy(clock);
    leases.observe("s", held);
    clock.time.monotonic += 60;
    leases.observe("s", renewed);
    clock.time.monotonic += 60;
    leases.observe("s", renewed);
    expect(leases.unchanged("s")).toEqual([]);
    expect(leases.untilOverMs("s", renewed.turn)).toBe(40);
  });

  test("is forgotten when the session no longer contains it", () => {
    const clock = handClock();
    const leases = seenBy(clock);
    leases.observe("s", held);
    leases.observe("s", { queue: [] });
    clock.time.monotonic += 1000;
    leases.observe("s", held);
    expect(leases.unchanged("s")).toEqual([]);
  });

  test("is evicted first if it was read longest ago and too many sessions are remembered", () => {
    const clock = handClock();
    const leases = seenBy(clock);
    for (let n = 0; n < 1_001; n++) leases.observe(`s${n}`, held);
    clock.time.monotonic += 1000;
    expect(leases.unchanged("s0")).toEqual([]);
    expect(leases.unchanged("s1")).toHaveLength(1);
  });
});

test("a lease of the store's own time domain expires only by its own clock", () => {
  const clock = handClock();
  const leases = seenBy(clock);
  const own = { ...lease, domain: "here", until: 100 };
  leases.observe("s", { turn: own, queue: [] });
  clock.time.wall += 3_600_000;
  clock.time.monotonic += 99;
  expect(leases.untilWorthTryingMs("s", own)).toBe(1);
  clock.time.monotonic += 1;
  expect(leases.untilOverMs("s", own)).toBe(0);
  expect(leases.unchanged("s")).toEqual([]);
});
