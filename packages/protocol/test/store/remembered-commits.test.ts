import { expect, test } from "vitest";
import { createStore, type SessionStore } from "../../src/backend.js";
import { ManualClock } from "../turns/manual-clock.js";
import { MapBackend } from "./map-backend.js";

const DAY_MS = 24 * 3_600_000;

function openStore(): { readonly store: SessionStore; readonly clock: ManualClock } {
  const clock = new ManualClock();
  return { store: createStore(new MapBackend(), { clock }), clock };
}

/**
 * Whether a commit with this id is a duplicate. Each commit increments a counter, so a commit that is applied again
 * changes the session.
 */
async function isKnown(store: SessionStore, commitId: string): Promise<boolean> {
  return (await store.incrementCounters("s", { n: 1 }, { commitId })).duplicate;
}

test("the commit id of a caller is known for 24 hours, however many commits came after it", async () => {
  const { store, clock } = openStore();
  await store.createSession("s");
  // A memory forgets many ids at a time. After this number of commits, the id is the last of a generation that is
  // dropped.
  for (let n = 0; n < 255; n++) await isKnown(store, `earlier ${n}`);
  await isKnown(store, "c1");
  await clock.pass(DAY_MS - 1);
  for (let n = 0; n < 600; n++) await isKnown(store, `later ${n}`);
  expect(await isKnown(store, "c1")).toBe(true);
});

test("the commit id of a caller is known while it is one of the last 256, however long ago it was", async () => {
  const { store, clock } = openStore();
  await store.createSession("s");
  const forgotten: number[] = [];
  for (let n = 0; n < 600; n++) {
    await isKnown(store, `c${n}`);
    await clock.pass(DAY_MS);
    const oldest = n - 255;
    if (oldest >= 0 && !(await isKnown(store, `c${oldest}`))) forgotten.push(oldest);
  }
  expect(forgotten).toEqual([]);
});
