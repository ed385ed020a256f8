import { adopt } from "@sessions/protocol";
import { startFaultProxy } from "redis-servers";
import { expect, test } from "vitest";
import { Deadline } from "../src/deadline.js";
import { openRedisStore } from "../src/open-redis-store.js";
import { placeOf } from "../src/place.js";
import { openRedisContext } from "../src/redis-context.js";
import { GRACE_MS, LEASE_MS } from "../src/session-index.js";
import { sharedServer } from "./servers.js";
import { codeOf, type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();
const DAY = 86_400_000;
const IDS = ["a", "b", "c", "d"];

/** Sessions that changed last a day apart, the last one yesterday. */
async function oldSessions({ store }: OpenedStore): Promise<void> {
  for (const [index, id] of IDS.entries()) {
    await store.createSession(id, { labels: { kind: "old" } });
    const { session } = await store.exportSession(id);
    const updatedAt = session.updatedAt - (IDS.length - index) * DAY;
    await store.commit(id, adopt({ ...session, createdAt: updatedAt, updatedAt }), { ifRevision: 1 });
  }
}

/** What a writer does before its commit, one who takes the session for a new one. It dies then. */
async function tell({ options }: OpenedStore, id: string): Promise<void> {
  const context = await openRedisContext({ url: server.url }, options);
  const now = Date.now();
  const entry = { bound: now + LEASE_MS, createdAt: now, isNew: true, labels: [["kind", "old"] as const] };
  await context.index.enter(id, entry, new Deadline(context.clock, 5000));
  context.server.client.disconnect();
}

async function listed({ store }: OpenedStore, query: object): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of store.listSessions({ limit: 1, ...query })) ids.push(id);
  return ids;
}

test.each([
  { query: {}, title: "all" },
  { query: { labels: { kind: "old" } }, title: "by label" },
])(
  "a writer that died when it had told the index hides no session from any page: $title",
  async ({ query }) => {
    await using opened = await openedStore(server);
    await oldSessions(opened);
    for (const id of ["a", "c"]) await tell(opened, id);
    for (const by of ["updated", "created"]) {
      expect(await listed(opened, { ...query, order: `${by}-desc` })).toEqual(["d", "c", "b", "a"]);
      expect(await listed(opened, { ...query, order: `${by}-asc` })).toEqual(["a", "b", "c", "d"]);
    }
  },
);

test("a creator who comes too late hides nothing, either", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  await using other = await openRedisStore({ url: server.url }, options);
  expect(await store.sessionExists("s")).toBe(false);
  for (const id of ["s", "t"]) {
    const begun = Date.now();
    while (Date.now() <= begun + 1) await new Promise((resolve) => setTimeout(resolve, 1));
    await other.createSession(id);
  }
  expect(await codeOf(store.createSession("s"))).toBe("SESSION_EXISTS");
  expect(await listed(opened, { order: "created-desc" })).toEqual(["t", "s"]);
});

test.each(["updated-desc", "created-desc"] as const)(
  "who is told while a list walks the index is not left out: %s",
  async (order) => {
    await using opened = await openedStore(server);
    await oldSessions(opened);
    await using proxy = await startFaultProxy(server.port);
    await using lists = await openRedisStore({ url: proxy.url }, opened.options);
    const { items, cursor } = await lists.listSessions({ order, limit: 1 });
    expect(items.map(({ id }) => id)).toEqual(["d"]);
    const walk = proxy.plan({
      on: "request",
      act: "stall",
      when: ({ command }) => command.includes("BYSCORE"),
    });
    const next = Promise.resolve(lists.listSessions({ order, limit: 1, cursor }));
    await walk.struck;
    await tell(opened, "c");
    walk.lift();
    expect((await next).items.map(({ id }) => id)).toEqual(["c"]);
  },
);

test("a refused append hides no session, either; one that is applied leaves nothing to look at", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  await oldSessions(opened);
  await tell(opened, "b");
  const message = { role: "user", content: "hello" };
  expect(await codeOf(store.addMessage("b", message, { fence: "7.of-nobody" }))).toBe("TURN_LOST");
  expect(await listed(opened, { order: "updated-desc" })).toEqual(["d", "c", "b", "a"]);
  await store.addMessage("b", message);
  expect(await listed(opened, { order: "updated-desc" })).toEqual(["b", "d", "c", "a"]);
  const told = async (): Promise<number> => client.zcard(keys.shardOf("b").told);
  while ((await told()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await listed(opened, { order: "created-desc" })).toEqual(["d", "c", "b", "a"]);
});

test("what was told long ago and never followed is tidied behind a list", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  await oldSessions(opened);
  await tell(opened, "a");
  const { told, entries, recent, created } = keys.shardOf("a");
  const long = Date.now() - 2 * GRACE_MS;
  const entry = (await client.hget(entries, placeOf("a"))) ?? "";
  await client.hset(entries, placeOf("a"), entry.replace(/^\d+/, String(long)));
  await client.zadd(told, long, placeOf("a"));
  expect(await listed(opened, { order: "updated-desc" })).toEqual(["d", "c", "b", "a"]);
  while ((await client.zscore(told, placeOf("a"))) !== null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const { updatedAt, createdAt } = (await store.getSession("a")) ?? {};
  expect(Number(await client.zscore(recent, placeOf("a")))).toBe(updatedAt);
  expect(Number(await client.zscore(created, placeOf("a")))).toBe(createdAt);
  expect(await listed(opened, { order: "updated-asc" })).toEqual(["a", "b", "c", "d"]);
});
