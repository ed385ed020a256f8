import { startReplicated } from "redis-servers";
import { expect, test } from "vitest";
import { DEFAULT_PARTITIONS } from "../../src/engine/partitions.js";
import { FIELDS } from "../../src/keys/fields.js";
import { Keys } from "../../src/keys/keys.js";
import { openRedisStore } from "../../src/open-redis-store.js";

const FAILOVER_MS = 30_000;
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

test("after a failover that lost commits, watchers hear of those that come, and no position is given out twice", async () => {
  await using servers = await startReplicated();
  const { name } = servers;
  const sentinels = servers.sentinels.map(({ port }) => ({ host: "127.0.0.1", port }));
  await using store = await openRedisStore(
    { sentinels, name },
    { deadlineMs: 4000, onWarning: () => undefined },
  );
  const { head } = new Keys("sessions", DEFAULT_PARTITIONS).partitionOf("s");
  const seen: string[] = [];
  const cursors: string[] = [];
  const controller = new AbortController();
  const ended = (async () => {
    for await (const { sessionId, revision, cursor } of store.watch({ signal: controller.signal })) {
      seen.push(`${sessionId} ${revision}`);
      cursors.push(cursor);
    }
  })();
  await expect.poll(() => store.addMessage("s", user("kept")).then(() => seen.length)).toBeGreaterThan(1);
  expect(await servers.primary.call("WAIT", 1, 10_000)).toBe(1);
  // The replica stands still: what is acknowledged from here on is lost with the primary.
  servers.replica.pause();
  await servers.primary.call("CLIENT", "KILL", "TYPE", "replica");
  const { revision } = await store.addMessage("s", user("lost"));
  await expect.poll(() => seen.at(-1)).toBe(`s ${revision}`);
  const last = Number(await servers.primary.call("HGET", head, FIELDS.POSITION));
  const before = cursors.at(-1) ?? "";
  await servers.primary.kill();
  servers.replica.resume();
  await servers.promoted();
  const firstWritten = async (): Promise<number> => {
    for (;;) {
      const written = await store.addMessage("s", user("after")).catch(() => undefined);
      if (written !== undefined) return written.revision;
    }
  };
  expect(await firstWritten()).toBe(revision);
  const position = Number(await servers.replica.call("HGET", head, FIELDS.POSITION));
  expect(position).toBeGreaterThan(last + 1_000_000);
  await store.addMessage("other", user("after"));
  await expect.poll(() => seen.at(-1), { timeout: FAILOVER_MS }).toBe("other 1");
  // Whoever resumes behind the lost change hears of the one that took its place.
  const resumed = store.watch({ since: before })[Symbol.asyncIterator]();
  const found: string[] = [];
  while (found.length < 2) {
    const { value } = await resumed.next();
    if (value !== undefined) found.push(`${value.sessionId} ${value.revision}`);
  }
  expect(found.sort()).toEqual(["other 1", `s ${revision}`]);
  await resumed.return?.();
  controller.abort();
  await ended;
});
