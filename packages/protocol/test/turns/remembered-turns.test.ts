import { expect, test } from "vitest";
import { createStore, type RunTurnResult, type SessionStore } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";
import { ManualClock } from "./manual-clock.js";

const DAY_MS = 24 * 3_600_000;

function openStore(): { readonly store: SessionStore; readonly clock: ManualClock } {
  const clock = new ManualClock();
  return { store: createStore(new MapBackend(), { clock }), clock };
}

const ran = (store: SessionStore, turnId: string): Promise<RunTurnResult> =>
  store.runTurn("s", { turnId, select: "none" }, () => undefined);

async function runMany(store: SessionStore, name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await ran(store, `${name} ${n}`);
}

test("a turn that completed is a duplicate for 24 hours, however many turns came after it", async () => {
  const { store, clock } = openStore();
  // A memory forgets many turns at a time. After this number of turns, the turn is the last of a generation that is
  // dropped.
  await runMany(store, "earlier", 255);
  await ran(store, "t1");
  await clock.pass(DAY_MS - 1);
  await runMany(store, "later", 600);
  expect(await ran(store, "t1")).toMatchObject({ status: "duplicate" });
});

test("a turn that completed is a duplicate while it is one of the last 256, however long ago it was", async () => {
  const { store, clock } = openStore();
  const forgotten: number[] = [];
  for (let n = 0; n < 600; n++) {
    await ran(store, `t${n}`);
    await clock.pass(DAY_MS);
    const oldest = n - 255;
    if (oldest >= 0 && (await ran(store, `t${oldest}`)).status !== "duplicate") forgotten.push(oldest);
  }
  expect(forgotten).toEqual([]);
});
