import { describe, expect, test } from "vitest";
import { createStore, type SessionStore, type Turn } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";
import { ManualClock } from "./manual-clock.js";

async function begun(store: SessionStore, options: object = {}): Promise<Turn> {
  const result = await store.beginTurn("s", options);
  if (result.status !== "begun") throw new Error("the turn did not begin");
  return result.turn;
}

describe("the signal of a turn says why it must stop", () => {
  test.each<[string, object, (store: SessionStore) => Promise<unknown>]>([
    ["expired", { ttlMs: 20, renew: false }, async () => undefined],
    ["interrupted", {}, (store) => store.interruptTurn("s")],
    ["ended", {}, (store) => store.interruptTurn("s", { force: true })],
    ["session-gone", {}, (store) => store.deleteSession("s")],
    ["closed", {}, (store) => store.close()],
  ])("%s", async (reason, options, end) => {
    const clock = new ManualClock();
    const store = createStore(new MapBackend(), { clock });
    const turn = await begun(store, options);
    await end(store);
    await clock.pass(20_000); // this backend has no feed, so the holder polls its session
    expect(turn.signal.reason).toMatchObject({ code: "TURN_LOST", reason });
  });

  test("taken-over", async () => {
    const { states } = new MapBackend();
    const time = { now: 0 };
    const leaseClock = { domain: "this machine", now: () => time.now };
    const open = (): SessionStore =>
      createStore(Object.assign(new MapBackend(undefined, states), { leaseClock }));
    const turn = await begun(open(), { ttlMs: 60_000, renew: false });
    time.now += 60_000; // the lease is over by the lease clock, and its holder has not noticed
    await begun(open());
    await expect(turn.append({ role: "user", content: "late" })).rejects.toMatchObject({ code: "TURN_LOST" });
    expect(turn.signal.reason).toMatchObject({ code: "TURN_LOST", reason: "taken-over" });
  });

  test("a write with the token of a turn that was taken over is TURN_LOST with the reason taken-over", async () => {
    const store = createStore(new MapBackend());
    const { token } = await begun(store, { ttlMs: 20, renew: false });
    await begun(store, { waitMs: 20_000 });
    const late = store.addMessage("s", { role: "user", content: "late" }, { fence: token });
    await expect(late).rejects.toMatchObject({ code: "TURN_LOST", reason: "taken-over" });
  });
});

test("another text under the turn id of a failed turn is MESSAGE_ID_TAKEN", async () => {
  const store = createStore(new MapBackend());
  const asked = (content: string): object => ({ turnId: "t1", messages: { role: "user", content } });
  await (await begun(store, asked("Hello."))).fail(new Error("down"));
  await expect(store.beginTurn("s", asked("Bye."))).rejects.toMatchObject({ code: "MESSAGE_ID_TAKEN" });
  await (await begun(store, asked("Hello."))).complete();
  expect(await store.getChatHistory("s")).toHaveLength(1);
});
