import { expect, test } from "vitest";
import { systemClock } from "../../src/platform/system-clock.js";
import { createStore } from "../../src/store/create-store.js";
import { MapBackend } from "../store/map-backend.js";

const HOUR_MS = 3_600_000;

test("a process with a wrong wall clock sees a live turn running and a dead one expired if it can read the lease clock", async () => {
  const states = new MapBackend().states;
  const time = { now: 0 };
  const leaseClock = { domain: "this machine", now: () => time.now };
  const open = (aheadMs: number) =>
    createStore(Object.assign(new MapBackend(undefined, states), { leaseClock }), {
      clock: { ...systemClock, now: () => Date.now() + aheadMs },
    });
  const [holder, ahead, behind] = [open(0), open(HOUR_MS), open(-HOUR_MS)];
  const begun = await holder.beginTurn("s", { ttlMs: 60_000, renew: false });
  for (const store of [holder, ahead, behind])
    expect((await store.getSession("s"))?.turn).toMatchObject({ status: "running" });
  time.now += 60_000;
  for (const store of [holder, ahead, behind])
    expect((await store.getSession("s"))?.turn).toMatchObject({ status: "expired" });
  expect(begun.status).toBe("begun");
  for (const store of [holder, ahead, behind]) await store.close();
});
