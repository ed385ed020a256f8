import { expect, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

/** Session "s" with a label, whose end has passed, and whose keys somebody keeps on the server for ever. */
async function outlived(): Promise<OpenedStore> {
  const opened = await openedStore(server, { partitions: 1, deadlineMs: 3000 });
  const { store, client, keys } = opened;
  const { record, session } = keys.session("s");
  const messages = Array.from({ length: 5 }, (_, n) => user(`old ${n}`));
  await store.createSession("s", { messages, labels: { kind: "old" }, expiresAt: Date.now() + 300 });
  await client.persist(record);
  await client.persist(session);
  while (await store.sessionExists("s")) await new Promise((resolve) => setTimeout(resolve, 10));
  return opened;
}

async function listed({ store }: OpenedStore, query: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.listSessions(query)) ids.push(id);
  return ids;
}

const writes = {
  "an append": async ({ store }: OpenedStore) => void (await store.addMessage("s", user("new"))),
  "a creation": async ({ store }: OpenedStore) =>
    void (await store.createSession("s", { messages: [user("new")] })),
  "a turn": async ({ store }: OpenedStore) => {
    await store.runTurn("s", { messages: [user("new")] }, async () => []);
  },
  "a large commit": async ({ store }: OpenedStore) => {
    await store.setChatHistory(
      "s",
      Array.from({ length: 600 }, () => user("new")),
    );
  },
};

test.each(Object.entries(writes))(
  "a session whose content has outlived its end is absent, and %s begins it anew",
  async (_, write) => {
    for (const isKnown of [true, false]) {
      await using opened = await outlived();
      await using fresh = await openRedisStore({ url: server.url }, opened.options);
      const { client, keys } = opened;
      const before = await opened.client.hget(keys.session("s").record, "revision");
      await write(isKnown ? opened : { ...opened, store: fresh });
      const session = await fresh.getSession("s");
      expect(session?.revision).toBeGreaterThan(Number(before));
      expect(new Set(session?.messages.map(({ content }) => content))).toEqual(new Set(["new"]));
      expect(session).not.toHaveProperty("expiresAt");
      expect(await fresh.verify("s")).toMatchObject({ ok: true });
      expect(await listed(opened)).toEqual(["s"]);
      expect(await listed(opened, { labels: { kind: "old" } })).toEqual([]);
      const { record, session: content } = keys.session("s");
      expect([await client.ttl(record), await client.ttl(content)]).toEqual([-1, -1]);
      expect((await client.hvals(content)).filter((text) => text.includes("old"))).toEqual([]);
      expect(await opened.store.deleteSession("s")).toBe(true);
    }
  },
);

test("content that has outlived its end is removed when the session is taken out of lists, and watchers hear of the end", async () => {
  await using opened = await outlived();
  const { store, client, keys } = opened;
  const controller = new AbortController();
  const changes = store.watch({ signal: controller.signal })[Symbol.asyncIterator]();
  const first = changes.next();
  expect(await listed(opened)).toEqual([]);
  const { record, session } = keys.session("s");
  await expect.poll(() => client.exists(session)).toBe(0);
  expect(await client.hget(record, "deleted")).not.toBeNull();
  expect(await client.exists(keys.partition(0).ends)).toBe(0);
  controller.abort();
  await first;
  expect(await store.getSession("s")).toBeUndefined();
  await store.addMessage("s", user("new"));
  expect((await store.getChatHistory("s")).map(({ content }) => content)).toEqual(["new"]);
});
