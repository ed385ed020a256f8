import { expect, test } from "vitest";
import { createStore } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";

// The feed of MapBackend ends at once and delivers nothing. Code that relies on it alone waits for ever, or spins.
test("without a feed an interruption still reaches the holder", async () => {
  const store = createStore(new MapBackend());
  const begun = await store.beginTurn("s", { ttlMs: 150 });
  if (begun.status !== "begun") throw new Error("the turn did not begin");
  await store.interruptTurn("s");
  await new Promise<void>((resolve) =>
    begun.turn.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  expect(begun.turn.signal.reason).toMatchObject({ code: "TURN_LOST", reason: "interrupted" });
  await begun.turn.complete();
});

test("without a feed a waiter still gets its turn when the one before it ends", async () => {
  const store = createStore(new MapBackend());
  const first = await store.beginTurn("s");
  if (first.status !== "begun") throw new Error("the turn did not begin");
  const second = store.beginTurn("s", { waitMs: 30_000 });
  await first.turn.complete();
  expect(await second).toMatchObject({ status: "begun" });
});

test("a feed that ends at once does not block timers while a turn is held", async () => {
  const store = createStore(new MapBackend());
  await store.runTurn("s", {}, async () => {
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
  });
  expect((await store.getSession("s"))?.lastTurn).toMatchObject({ outcome: "completed" });
});
