import { describe, expect, test } from "vitest";
import { count, createStore, type SessionStore, type Turn } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";

interface Outage {
  isDown: boolean;
}

/** A store whose commits can be made to fail. */
function openBreakable(): { readonly store: SessionStore; readonly outage: Outage } {
  const outage = { isDown: false };
  const before = async (): Promise<void> => {
    if (outage.isDown) throw new Error("the engine stands still");
  };
  return { store: createStore(new MapBackend({ before, after: async () => undefined })), outage };
}

async function begun(store: SessionStore): Promise<Turn> {
  const result = await store.beginTurn("s", { ttlMs: 150 });
  if (result.status !== "begun") throw new Error("the turn did not begin");
  return result.turn;
}

describe("a turn whose end could not be saved", () => {
  test.each<[string, (turn: Turn) => Promise<unknown>]>([
    ["completed", (turn) => turn.complete()],
    ["failed", (turn) => turn.fail(new Error("why"))],
    ["released", (turn) => turn.release()],
    ["completed with invalid operations", (turn) => turn.complete([count({ n: 0.5 })])],
  ])("is no longer renewed, and the next turn begins when its lease is over (%s)", async (_how, end) => {
    const { store, outage } = openBreakable();
    const turn = await begun(store);
    outage.isDown = true;
    await expect(end(turn)).rejects.toMatchObject({ name: "SessionError" });
    outage.isDown = false;
    const next = await store.beginTurn("s", { waitMs: 20_000 });
    expect(next.status).toBe("begun");
    // The next turn may begin shortly before the timer of the lost one fires.
    await expect.poll(() => turn.signal.reason).toMatchObject({ code: "TURN_LOST" });
  });

  test("can still be ended before its lease is over", async () => {
    const { store, outage } = openBreakable();
    const result = await store.beginTurn("s");
    if (result.status !== "begun") throw new Error("the turn did not begin");
    outage.isDown = true;
    await expect(result.turn.complete()).rejects.toMatchObject({ name: "SessionError" });
    outage.isDown = false;
    await result.turn.complete();
    expect((await store.getSession("s"))?.lastTurn).toMatchObject({ outcome: "completed" });
  });

  test("does not block the session if runTurn ran it", async () => {
    const { store, outage } = openBreakable();
    const error = new Error("the work failed");
    const run = store.runTurn("s", { ttlMs: 150 }, () => {
      outage.isDown = true;
      throw error;
    });
    await expect(run).rejects.toBe(error);
    expect(error.cause).toMatchObject({ name: "SessionError" });
    outage.isDown = false;
    expect(await store.beginTurn("s", { waitMs: 20_000 })).toMatchObject({ status: "begun" });
  });
});

const unreadable = new Error("never seen");
for (const field of ["message", "name", "cause"])
  Object.defineProperty(unreadable, field, {
    get() {
      throw new Error("cannot be read");
    },
  });

describe("work that throws an unusual value fails its turn, and the caller gets the same value", () => {
  test.each<[string, unknown]>([
    ["a string", "text"],
    ["undefined", undefined],
    ["an object without a prototype", Object.create(null)],
    ["an error whose fields throw", unreadable],
    ["a frozen error", Object.freeze(new Error("frozen"))],
    ["a promise that never settles", new Promise(() => undefined)],
    ["an error of 9 MB", new Error("m".repeat(9_000_000))],
  ])("%s", async (_what, thrown) => {
    const { store } = openBreakable();
    const caught = await store
      .runTurn("s", {}, () => {
        throw thrown;
      })
      .then(
        () => ({ error: "nothing was thrown" }),
        (error: unknown) => ({ error }),
      );
    expect(Object.is(caught.error, thrown)).toBe(true);
    const session = await store.getSession("s");
    expect(session?.turn).toBeUndefined();
    expect(session?.lastTurn?.outcome).toBe("failed");
    expect((session?.lastTurn?.error ?? "").length).toBeLessThan(9000);
  });

  test("an error that cannot carry a cause is thrown in an AggregateError with the failed end of the turn", async () => {
    const { store, outage } = openBreakable();
    const frozen = Object.freeze(new Error("frozen"));
    const run = store.runTurn("s", {}, () => {
      outage.isDown = true;
      throw frozen;
    });
    await expect(run).rejects.toMatchObject({ errors: [frozen, { name: "SessionError" }] });
  });
});
