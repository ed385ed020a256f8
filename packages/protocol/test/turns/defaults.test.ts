import { describe, expect, test } from "vitest";
import { type BeginTurnOptions, createStore, type SessionStore, type Turn } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";
import { ManualClock } from "./manual-clock.js";

async function begun(store: SessionStore, options?: BeginTurnOptions): Promise<Turn> {
  const result = await store.beginTurn("s", options);
  if (result.status !== "begun") throw new Error("the turn did not begin");
  return result.turn;
}

describe("a turn that begins without options", () => {
  test("lasts for 30 s without a renewal", async () => {
    const clock = new ManualClock();
    const store = createStore(new MapBackend(), { clock });
    const turn = await begun(store, { turnId: "dead", renew: false });
    expect(turn.expiresAt).toBe(clock.now() + 30_000);
    await clock.pass(29_999);
    await expect(store.beginTurn("s")).rejects.toMatchObject({ code: "TURN_BUSY", turnId: "dead" });
    await clock.pass(1);
    await begun(store);
    expect((await store.getSession("s"))?.lastTurn).toMatchObject({ turnId: "dead" });
  });

  test("is renewed automatically for as long as it runs", async () => {
    const clock = new ManualClock();
    const store = createStore(new MapBackend(), { clock });
    const turn = await begun(store);
    await clock.pass(3_600_000);
    expect(turn.signal.aborted).toBe(false);
    await expect(store.beginTurn("s")).rejects.toMatchObject({ code: "TURN_BUSY" });
  });

  test("fails with TURN_BUSY at once if another turn runs", async () => {
    const clock = new ManualClock(); // time does not pass: nothing that waits comes to an end
    const store = createStore(new MapBackend(), { clock });
    await begun(store);
    await expect(store.beginTurn("s")).rejects.toMatchObject({ code: "TURN_BUSY" });
    expect((await store.getSession("s"))?.turn).toMatchObject({ waiting: 0 });
  });

  test("has a generated id, no owner and no message, and gets all messages of the session", async () => {
    const store = createStore(new MapBackend());
    await store.addMessage("s", [
      { id: "a", role: "user", content: "a" },
      { id: "b", role: "user", content: "b" },
    ]);
    const ids = new Set<string>();
    for (let n = 0; n < 3; n++)
      await store.runTurn("s", {}, async (turn, session) => {
        ids.add(turn.turnId);
        expect(session.turn).not.toHaveProperty("owner");
        expect(session.messages.map(({ id }) => id)).toEqual(["a", "b"]);
      });
    expect(ids.size).toBe(3);
  });
});

test("the work of a turn gets the selected messages", async () => {
  const store = createStore(new MapBackend());
  await store.addMessage("s", { id: "a", role: "user", content: "a" });
  const given: (readonly string[])[] = [];
  for (const select of [{ last: 1 }, "none"] as const)
    await store.runTurn("s", { select, messages: { role: "user", content: "b" } }, (_turn, session) => {
      given.push(session.messages.map(({ content }) => String(content)));
    });
  expect(given).toEqual([["b"], []]);
});
