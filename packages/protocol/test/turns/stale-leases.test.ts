import { describe, expect, test } from "vitest";
import { StaleLeases } from "../../src/turns/stale-leases.js";

/** A clock whose two faces are set by hand: the wall clock may be stepped, the monotonic one only grows. */
function handClock() {
  const time = { wall: 1_000_000, monotonic: 0 };
  return { time, now: () => time.wall, monotonic: () => time.monotonic, after: () => () => undefined };
}

const lease = { token: "1.a", renewals: 0, ttlMs: 100, expiresAt: 1_000_100 };

describe("a lease that stands still", () => {
  test("is dead after its time to live, though the wall clock was set back by an hour", () => {
    const clock = handClock();
    const leases = new StaleLeases(clock);
    leases.observe([lease]);
    clock.time.wall -= 3_600_000;
    clock.time.monotonic += 99;
    expect(leases.isStale(lease)).toBe(false);
    clock.time.monotonic += 1;
    expect(leases.isStale(lease)).toBe(true);
    expect(leases.seen()).toEqual([{ token: "1.a", renewals: 0 }]);
  });

  test("lives on when it is renewed in between", () => {
    const clock = handClock();
    const leases = new StaleLeases(clock);
    leases.observe([lease]);
    clock.time.monotonic += 60;
    const renewed = { ...lease, renewals: 1 };
    leases.observe([renewed]);
    clock.time.monotonic += 60;
    leases.observe([renewed]);
    expect(leases.seen()).toEqual([]);
    expect(leases.nextMs()).toBe(40);
  });

  test("one that is no longer in the way is forgotten", () => {
    const clock = handClock();
    const leases = new StaleLeases(clock);
    leases.observe([lease]);
    leases.observe([]);
    clock.time.monotonic += 1000;
    expect(leases.seen()).toEqual([]);
    expect(leases.nextMs()).toBe(Number.POSITIVE_INFINITY);
  });
});
