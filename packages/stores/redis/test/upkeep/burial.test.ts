import { expect, test } from "vitest";
import { BURY } from "../../src/engine/scripts.js";
import { labelKey } from "../../src/keys/keys.js";
import { checkIndex } from "../../src/maintenance.js";
import { connection, within } from "../engine/engine.js";
import { sharedServer } from "../servers.js";
import { openedStore } from "../store.js";

const redis = await sharedServer();
const { url } = redis;
const user = { role: "user", content: "x" };

test("hundreds of sessions that expire at once are in no list, and leave nothing in the index but tombstones", async () => {
  await using opened = await openedStore(redis, { partitions: 2 });
  const { store, client, keys, options } = opened;
  const ids = Array.from({ length: 450 }, (_, n) => `s${n}`);
  const expiresAt = Date.now() + 1500;
  await Promise.all(ids.map((id) => store.createSession(id, { expiresAt, labels: { kind: "brief" } })));
  await store.createSession("stays", { labels: { kind: "brief" } });
  await expect.poll(() => store.sessionExists("s0"), { timeout: 10_000 }).toBe(false);
  for (const query of [
    {},
    { labels: { kind: "brief" } },
    { order: "id-asc" },
    { order: "created-desc" },
  ] as const)
    expect((await store.listSessions(query)).items.map(({ id }) => id)).toEqual(["stays"]);
  await expect
    .poll(() => Promise.all(keys.partitions.map(({ ends }) => client.zcard(ends))), { timeout: 10_000 })
    .toEqual([0, 0]);
  const sizes = await Promise.all(
    keys.partitions.map(async ({ recent, tombstones }) => [
      await client.zcard(recent),
      await client.zcard(tombstones),
    ]),
  );
  expect(
    sizes.reduce(([live, dead], [one = 0, other = 0]) => [(live ?? 0) + one, (dead ?? 0) + other], [0, 0]),
  ).toEqual([1, 450]);
  expect(await client.zcard(labelKey(keys.partitionOf("stays"), "kind", "brief"))).toBe(1);
  expect(await checkIndex({ url }, options)).toEqual([]);
});

test("a session that was written to since it was found to be over is not buried", async () => {
  await using opened = await openedStore(redis);
  using server = connection({ url });
  const { store, client, keys } = opened;
  const { partition, record, session, member } = keys.session("s");
  const { head, feed, tombstones, recent, created, ids, ends, entries } = partition;
  const bury = (end: string | null): Promise<unknown> =>
    server.runRetryable(
      BURY,
      [head, feed, tombstones, recent, created, ids, ends, entries, record, session],
      ["replica", keys.channel, "nonce", member, end ?? "", "", 0],
      within(),
    );
  await store.createSession("s", { expiresAt: Date.now() + 3_600_000 });
  expect(await bury(await client.zscore(ends, member))).toEqual(["ok", 0]);
  await store.patchSession("s", { expiresAt: Date.now() + 60 });
  const end = await client.zscore(ends, member);
  await expect.poll(() => store.sessionExists("s")).toBe(false);
  await store.createSession("s", { expiresAt: Date.now() + 3_600_000, messages: [user] });
  expect(await bury(end)).toEqual(["ok", 0]);
  expect((await store.getSession("s"))?.messages).toHaveLength(1);
  expect(await client.zscore(recent, member)).not.toBe(null);
});
