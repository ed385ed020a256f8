import { expect, test } from "vitest";
import { labelKey, type PartitionKeys, parentKey } from "../../src/keys/keys.js";
import { checkIndex, repairIndex } from "../../src/maintenance.js";
import { openRedisStore } from "../../src/open-redis-store.js";
import { sharedServer } from "../servers.js";
import { codeOf, type OpenedStore, openedStore } from "../store.js";

const server = await sharedServer();
const { url } = server;
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

async function listed({ store }: OpenedStore, query: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.listSessions(query)) ids.push(id);
  return ids.sort();
}

const SESSIONS = ["ends", "fork", "labelled", "plain"];

/** A store of one partition with sessions of every kind, a deleted one too. */
async function filled(): Promise<OpenedStore> {
  const opened = await openedStore(server, { partitions: 1, onWarning: () => undefined });
  const { store } = opened;
  await store.createSession("plain", { messages: [user("1")] });
  await store.createSession("labelled", { labels: { kind: "a" } });
  await store.createSession("ends", { expiresAt: Date.now() + 3_600_000 });
  await store.forkSession("plain", { newId: "fork" });
  await store.createSession("deleted");
  await store.deleteSession("deleted");
  return opened;
}

/** Which key is gone, and a call that notices. */
const keys: Readonly<Record<string, (partition: PartitionKeys) => string>> = {
  recent: ({ recent }) => recent,
  created: ({ created }) => created,
  ids: ({ ids }) => ids,
  ends: ({ ends }) => ends,
  entries: ({ entries }) => entries,
  feed: ({ feed }) => feed,
  tombstones: ({ tombstones }) => tombstones,
  head: ({ head }) => head,
  "set of a label": (partition) => labelKey(partition, "kind", "a"),
  "set of a parent": (partition) => parentKey(partition, "plain"),
};

test.each(Object.entries(keys))(
  "an index whose %s was evicted is named by a check, and built anew from the sessions",
  async (_, keyIn) => {
    await using opened = await filled();
    const { store, client, options } = opened;
    const partition = opened.keys.partition(0);
    const before = await Promise.all(
      (await client.keys(`${partition.tag}:*`)).map((key) => client.type(key)),
    );
    expect(await client.del(keyIn(partition))).toBe(1);
    expect(await checkIndex({ url }, options)).toContainEqual({
      partition: partition.tag,
      problem: expect.stringContaining("evicted"),
    });
    const repaired = await repairIndex({ url }, options);
    expect(repaired).toMatchObject({ sessions: 4, damaged: [], lost: [], setAside: [] });
    expect(repaired.problems).not.toEqual([]);
    expect(await checkIndex({ url }, options)).toEqual([]);
    const after = await Promise.all((await client.keys(`${partition.tag}:*`)).map((key) => client.type(key)));
    expect(after.sort()).toEqual(before.sort());
    for (const order of ["updated-desc", "created-asc", "id-asc"] as const)
      expect(await listed(opened, { order })).toEqual(SESSIONS);
    expect(await listed(opened, { labels: { kind: "a" } })).toEqual(["labelled"]);
    expect(await listed(opened, { parent: "plain" })).toEqual(["fork"]);
    for (const id of SESSIONS) await store.addMessage(id, user("2"));
    await store.deleteSession("labelled");
    expect(await checkIndex({ url }, options)).toEqual([]);
  },
);

test.each([
  ["recent", {}],
  ["created", { order: "created-desc" }],
  ["ids", { order: "id-asc" }],
  ["ends", {}],
  ["set of a label", { labels: { kind: "a" } }],
  ["set of a parent", { parent: "plain" }],
  ["head", {}],
] as const)(
  "a list is not shorter where the index has lost its %s: it fails and says what to do",
  async (name, query) => {
    await using opened = await filled();
    const partition = opened.keys.partition(0);
    await opened.client.del(keys[name]?.(partition) ?? "");
    await expect(listed(opened, query)).rejects.toMatchObject({
      code: "DATA_LOST",
      message: expect.stringMatching(/\{p0-.*doctor --fix/),
    });
  },
);

test("a store that has lost its format is not taken for a new one, and doctor writes it anew", async () => {
  await using opened = await filled();
  const { client, options } = opened;
  await client.del(opened.keys.format);
  const open = (): Promise<unknown> => openRedisStore({ url }, { ...options, onWarning: () => undefined });
  expect(await codeOf(open())).toBe("DATA_LOST");
  expect(await checkIndex({ url }, options)).toEqual([
    { partition: opened.keys.format, problem: expect.stringContaining("evicted") },
  ]);
  expect(await repairIndex({ url }, options)).toMatchObject({ sessions: 4, entered: 0 });
  await using store = await openRedisStore({ url }, { ...options, onWarning: () => undefined });
  expect((await store.listSessions()).items).toHaveLength(4);
});

test("a lost feed ends watchers of the whole store, and keeps nobody from watching one session", async () => {
  await using opened = await filled();
  const { store, client } = opened;
  const all = store.watch({})[Symbol.asyncIterator]();
  const one = store.watch({ session: "plain", since: 0 })[Symbol.asyncIterator]();
  expect((await one.next()).value).toMatchObject({ sessionId: "plain" });
  const ended = codeOf(all.next());
  await client.del(opened.keys.partition(0).feed);
  expect(await ended).toBe("DATA_LOST");
  expect(await codeOf(store.watch({})[Symbol.asyncIterator]().next())).toBe("DATA_LOST");
  const news = one.next();
  await store.addMessage("plain", user("2"));
  expect((await news).value).toMatchObject({ sessionId: "plain", revision: 2 });
  const another = store.watch({ session: "plain", since: 1 })[Symbol.asyncIterator]();
  expect((await another.next()).value).toMatchObject({ revision: 2 });
  for (const watcher of [one, another]) await watcher.return?.();
});

test("a member that was removed from a set by hand is noticed, and entered again", async () => {
  await using opened = await filled();
  const { client, options } = opened;
  const { recent, ids } = opened.keys.partition(0);
  await client.zrem(recent, "plain");
  await client.zadd(ids, 0, "nobody");
  expect(await codeOf(listed(opened))).toBe("DATA_LOST");
  expect(await repairIndex({ url }, options)).toMatchObject({ sessions: 4, entered: 1, lost: ["nobody"] });
  expect(await listed(opened)).toEqual(SESSIONS);
  expect(await checkIndex({ url }, options)).toEqual([]);
});

test("a repair may run while the store is used", async () => {
  await using opened = await filled();
  const { store, client, options } = opened;
  const { recent, created } = opened.keys.partition(0);
  let isDone = false;
  const writing = (async () => {
    for (let n = 0; !isDone; n++) {
      await store.addMessage(`w${n % 7}`, user(`${n}`));
      await store.patchSession(`w${n % 7}`, { labels: { n: `${n % 3}` } });
      if (n % 11 === 0) await store.deleteSession(`w${(n + 3) % 7}`);
    }
  })();
  for (let round = 0; round < 5; round++) {
    await client.del(recent, created);
    expect(await repairIndex({ url }, options)).toMatchObject({ damaged: [], lost: [] });
  }
  isDone = true;
  await writing;
  expect(await checkIndex({ url }, options)).toEqual([]);
});
