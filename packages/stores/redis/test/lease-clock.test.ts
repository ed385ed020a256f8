import { systemClock } from "@sessions/protocol";
import { expect, test, vi } from "vitest";
import { openRedisStore, type SessionStore } from "../src/index.js";
import { sharedServer } from "./servers.js";

const server = await sharedServer();

test("a turn ends by the server's clock: a process that never saw it takes it over, though its own clock stands still", async () => {
  const openElsewhere = (): Promise<SessionStore> =>
    openRedisStore({ url: server.url }, { clock: { ...systemClock, now: () => 0, monotonic: () => 0 } });
  await using holder = await openElsewhere();
  const ttlMs = 300;
  const askedAt = performance.now();
  await holder.beginTurn("s", { turnId: "dead", ttlMs, renew: false });
  const takeOver = async (): Promise<void> => {
    await using heir = await openElsewhere();
    expect(await heir.beginTurn("s", { turnId: "heir" })).toMatchObject({ status: "begun" });
  };
  await vi.waitFor(takeOver, { timeout: 20_000 });
  expect(performance.now() - askedAt).toBeGreaterThanOrEqual(ttlMs - 2);
});
