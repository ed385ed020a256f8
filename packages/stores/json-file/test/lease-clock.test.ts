import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@sessions/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { openJsonFileStore, type SessionStore } from "../src/index.js";

test("a turn ends by the machine's clock: a process that never saw it takes it over, though its own clock stands still", async () => {
  const root = await mkdtemp(join(tmpdir(), "lease-clock-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  // A clock of its own makes it another process: what it sees by it no other store knows.
  const openElsewhere = (): Promise<SessionStore> =>
    openJsonFileStore({ root, clock: { ...systemClock, now: () => 0, monotonic: () => 0 } });
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
