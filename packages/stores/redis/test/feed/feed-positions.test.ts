import type { Change, SessionStore } from "@sessions/protocol";
import { startServer } from "redis-servers";
import { expect, test } from "vitest";
import { FIELDS } from "../../src/keys/fields.js";
import { openRedisStore } from "../../src/open-redis-store.js";
import { sharedServer } from "../servers.js";
import { type OpenedStore, openedStore } from "../store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

interface Watching extends AsyncDisposable {
  readonly seen: Change[];
}

function watching(store: SessionStore, since?: string): Watching {
  const seen: Change[] = [];
  const controller = new AbortController();
  const ended = (async () => {
    for await (const change of store.watch({ since, signal: controller.signal })) seen.push(change);
  })();
  return {
    seen,
    async [Symbol.asyncDispose]() {
      controller.abort();
      await ended;
    },
  };
}

/** A cursor behind everything until now. */
async function cursorNow({ store }: OpenedStore): Promise<string> {
  await using watcher = watching(store);
  await expect
    .poll(() => store.addMessage("probe", user("?")).then(() => watcher.seen.length))
    .toBeGreaterThan(0);
  return watcher.seen.at(-1)?.cursor ?? "";
}

function idsOf({ seen }: Watching): readonly string[] {
  return seen.map(({ sessionId }) => sessionId);
}

test("a cursor that is older than a forgotten tombstone is told so with its first change", async () => {
  await using opened = await openedStore(server, { partitions: 1 });
  const { store, client, keys } = opened;
  for (const id of ["gone", "stays"]) await store.addMessage(id, user("1"));
  const before = await cursorNow(opened);
  await store.deleteSession("gone");
  const between = await cursorNow(opened);
  await client.zadd(keys.partition(0).tombstones, 1, "gone"); // its seven days are over
  await using old = watching(store, before);
  await using young = watching(store, between);
  await store.addMessage("stays", user("2"));
  for (const { seen } of [old, young])
    await expect.poll(() => seen.at(-1)).toMatchObject({ sessionId: "stays", revision: 2 });
  expect(idsOf(old)).not.toContain("gone");
  expect(old.seen[0]).toMatchObject({ reset: true });
  expect(old.seen.slice(1).filter(({ reset }) => reset === true)).toEqual([]);
  expect(young.seen.filter(({ reset }) => reset === true)).toEqual([]);
});

test("positions of a server that may have lost some are not given out again", async () => {
  await using opened = await openedStore(server, { partitions: 1 });
  const { store, client, keys } = opened;
  const { head } = keys.partition(0);
  await store.addMessage("s", user("1"));
  const before = Number(await client.hget(head, FIELDS.POSITION));
  await client.hset(head, FIELDS.REPLICA, "another primary, before a failover");
  await store.addMessage("s", user("2"));
  expect(Number(await client.hget(head, FIELDS.POSITION))).toBe(before + 1_000_000_001);
  await store.patchSession("s", { title: "t" });
  expect(Number(await client.hget(head, FIELDS.POSITION))).toBe(before + 1_000_000_002);
});

test("the feed has one entry for each session, however often that changes", async () => {
  await using opened = await openedStore(server, { partitions: 1 });
  const { store, client, keys } = opened;
  for (let n = 0; n < 50; n++) await store.addMessage(`s${n % 5}`, user(`${n}`));
  await store.deleteSession("s0");
  expect(await client.zcard(keys.partition(0).feed)).toBe(5);
});

test("a wake-up that gets lost delays a change by a second, and no longer", async () => {
  await using opened = await openedStore(server);
  const { store, client, options } = opened;
  await using other = await openRedisStore({ url: server.url }, options);
  await using watcher = watching(store);
  await expect
    .poll(() => other.addMessage("s", user("?")).then(() => watcher.seen.length))
    .toBeGreaterThan(0);
  await client.call("CLIENT", "KILL", "TYPE", "pubsub");
  const { revision } = await other.addMessage("s", user("unheard"));
  await expect.poll(() => watcher.seen.at(-1)).toMatchObject({ sessionId: "s", revision });
});

test("a commit publishes while somebody watches its session, however long, and not otherwise", async () => {
  await using alone = await startServer();
  await using opened = await openedStore(alone);
  await using other = await openRedisStore({ url: alone.url }, opened.options);
  const published = async (): Promise<number> =>
    Number(/cmdstat_publish:calls=(\d+)/.exec(await opened.client.info("commandstats"))?.[1] ?? 0);
  const { store } = opened;
  await store.addMessage("s", user("1"));
  const before = await published();
  await store.addMessage("s", user("2"));
  expect(await published()).toBe(before);
  const changes = store.watch({ session: "s", since: 0 })[Symbol.asyncIterator]();
  await changes.next();
  // Longer than one reading of the partition counts for.
  const until = performance.now() + 12_000;
  let sent = 0;
  for (; performance.now() < until; sent++) {
    await other.addMessage("s", user("more"));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect((await published()) - before).toBe(sent);
  await changes.return?.();
});

test("a watcher of one session costs a look at that session each second, however many partitions there are", async () => {
  await using alone = await startServer();
  await using opened = await openedStore(alone);
  const { store, client } = opened;
  await store.addMessage("s", user("1"));
  const calls = async (): Promise<number> =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info("commandstats"))?.[1] ?? 0);
  const before = await calls();
  const changes = store.watch({ session: "s", since: 0 })[Symbol.asyncIterator]();
  expect((await changes.next()).value).toMatchObject({ revision: 1 });
  expect((await calls()) - before).toBeLessThanOrEqual(4);
  await changes.return?.();
});
