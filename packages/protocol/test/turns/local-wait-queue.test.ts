import { expect, test } from "vitest";
import type { Change, WatchTarget } from "../../src/backend/change.js";
import type { CommitOutcome } from "../../src/backend/commit-outcome.js";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import { append, ChangeFeed, createStore } from "../../src/backend.js";
import { LocalWaitQueues } from "../../src/leases/local-wait-queue.js";
import { MapBackend } from "../store/map-backend.js";

const WAITERS = 30;
const CHANGES = 50;

/** A backend with a feed that counts its reads. */
class FedBackend extends MapBackend {
  reads = 0;
  readonly #feed = new ChangeFeed();

  override async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const outcomes = await super.commit(requests);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status !== "applied") continue;
      const { revision, at } = outcome;
      this.#feed.publish({ sessionId: requests[index]?.sessionId ?? "", revision, at, cursor: "" });
    }
    return outcomes;
  }

  override read(...call: Parameters<MapBackend["read"]>): ReturnType<MapBackend["read"]> {
    this.reads++;
    return super.read(...call);
  }

  override watch(target: WatchTarget, signal: AbortSignal): AsyncGenerator<Change> {
    return this.#feed.watch(target, signal, () => []);
  }
}

test("of many waiters in one store only the first reads the session after a change, and all get their turns in order", async () => {
  const backend = new FedBackend();
  await using store = createStore(backend);
  const holder = await store.beginTurn("s");
  if (holder.status !== "begun") throw new Error("the turn did not begin");
  const order: number[] = [];
  const waiting = Array.from({ length: WAITERS }, (_, n) =>
    store.runTurn("s", { waitMs: 50_000 }, () => void order.push(n)),
  );
  await expect.poll(async () => (await store.getSession("s"))?.turn?.waiting).toBe(WAITERS);
  const before = backend.reads;
  for (let n = 0; n < CHANGES; n++) {
    await holder.turn.commit([append({ role: "user", content: `${n}` })]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The first waiter reads after each change. If all of them did, it would be over a thousand reads.
  expect(backend.reads - before).toBeLessThan(8 * CHANGES);
  await holder.turn.complete();
  await Promise.all(waiting);
  expect(order).toEqual(Array.from({ length: WAITERS }, (_, n) => n));
});

test("a waiter that leaves wakes the next one, in any order of leaving", async () => {
  const queues = new LocalWaitQueues();
  const [a, b, c] = [queues.join("s"), queues.join("s"), queues.join("s")];
  expect([a, b, c].map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
  b.leave();
  b.leave();
  expect(c.isFirst).toBe(false);
  a.leave();
  await c.first;
  expect(c.isFirst).toBe(true);
  expect(queues.join("other").isFirst).toBe(true);
});
