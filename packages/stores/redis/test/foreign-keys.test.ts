import { crc32 } from "node:zlib";
import { SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { rebuildIndex } from "../src/rebuild-index.js";
import { sessionIds } from "../src/scan-sessions.js";
import { sharedServer } from "./servers.js";
import { codeOf, type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

async function listed({ store }: OpenedStore, query: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.listSessions(query)) ids.push(id);
  return ids.sort();
}

/** Session "parent" with forks "good" and "bad", and a session "other". */
async function filled(warnings: string[]): Promise<OpenedStore> {
  const opened = await openedStore(server, { onWarning: ({ message }) => warnings.push(message) });
  const { store } = opened;
  await store.createSession("parent", { messages: [user("1")] });
  for (const id of ["good", "bad"]) {
    await store.forkSession("parent", { newId: id });
    await store.patchSession(id, { labels: { kind: "fork" } });
  }
  await store.createSession("other", { labels: { kind: "none" } });
  return opened;
}

test.each(["session", "window"] as const)(
  "a %s key of another type is the damage of one session",
  async (part) => {
    const warnings: string[] = [];
    await using before = await filled([]);
    const { client, keys, options } = before;
    await client.set(keys.session("bad")[part], "not the store's");
    const onWarning = ({ message }: { message: string }): unknown => warnings.push(message);
    await using store = await openRedisStore({ url: server.url }, { ...options, onWarning });
    const opened = { ...before, store };
    const controller = new AbortController();
    const first = store.watch({ signal: controller.signal })[Symbol.asyncIterator]().next();
    for (const call of [
      () => store.getSession("bad"),
      () => store.addMessage("bad", user("over it")),
      () => store.createSession("bad"),
      () => store.setChatHistory("bad", [user("over it")]),
      () => store.exportSession("bad"),
      () => store.deleteSession("bad"),
      () => store.watch({ session: "bad" })[Symbol.asyncIterator]().next(),
    ])
      expect([call.toString(), await codeOf(call())]).toEqual([call.toString(), "SESSION_CORRUPTED"]);
    expect(await store.verify("bad")).toMatchObject({ ok: false, findings: [{ severity: "harmful" }] });
    // A list does not look into the window: it lists the session, or leaves it out.
    const whole = part === "session" ? ["good"] : ["bad", "good"];
    expect((await store.getChildren("parent")).map(({ id }) => id).sort()).toEqual(whole);
    for (const order of ["updated-desc", "created-asc", "id-asc"] as const)
      expect(await listed(opened, { order })).toEqual([...whole, "other", "parent"].sort());
    expect(await listed(opened, { labels: { kind: "fork" } })).toEqual(whole);
    if (part === "session") expect(warnings.filter((text) => text.includes('"bad"'))).not.toEqual([]);
    await store.addMessage("good", user("2"));
    await store.addMessage("new", user("1"));
    await store.addMessage("good", user("3")); // the watcher may begin after the others
    expect((await first).done).toBe(false);
    controller.abort();
    const scanned: string[] = [];
    for await (const id of sessionIds({ url: server.url }, options)) scanned.push(id);
    expect(scanned.sort()).toEqual(["bad", "good", "new", "other", "parent"]);
    if (part === "session")
      expect(await rebuildIndex({ url: server.url }, options)).toMatchObject({
        damaged: ["bad"],
        missing: 0,
      });
    expect(await client.get(keys.session("bad")[part])).toBe("not the store's");
  },
);

test("an index key of another type shortens no list, and is named to whoever needs it", async () => {
  const warnings: string[] = [];
  await using opened = await filled(warnings);
  const { store, client, keys } = opened;
  const shard = keys.shardOf("good");
  const inShard = (id: string): boolean => keys.shardOf(id).format === shard.format;
  const all = ["bad", "good", "other", "parent"];
  const overwritten = [shard.recent, shard.created, shard.told, shard.ended, shard.forked("parent")];
  for (const key of overwritten) await client.set(key, "not the store's");
  for (const order of ["updated-desc", "updated-asc", "created-asc", "created-desc", "id-asc"] as const)
    expect([order, await listed(opened, { order })]).toEqual([order, all]);
  expect((await store.getChildren("parent")).map(({ id }) => id).sort()).toEqual(["bad", "good"]);
  expect(warnings.filter((text) => text.includes("index"))).toHaveLength(1);
  const controller = new AbortController();
  let seen: string | undefined;
  const change = store.watch({ signal: controller.signal })[Symbol.asyncIterator]().next();
  void change.then(({ value }) => (seen = value?.sessionId));
  await expect.poll(() => store.addMessage("good", user("goes on")).then(() => seen)).toBe("good");
  controller.abort();
  const id = Array.from({ length: 200 }, (_, n) => `new ${n}`).find(inShard) ?? "";
  const error: unknown = await store.createSession(id).catch((reason: unknown) => reason);
  expect(SessionError.is(error, "STORE_UNAVAILABLE")).toBe(true);
  expect(error).toMatchObject({ retryable: false, message: expect.stringContaining(shard.recent) });
  expect(await store.getSession(id)).toBeUndefined();
  for (const key of overwritten) expect(await client.get(key)).toBe("not the store's");
  expect(crc32(id) % 16).toBe(crc32("good") % 16);
});

test("foreign keys below the prefix disturb nobody", async () => {
  const warnings: string[] = [];
  await using opened = await filled(warnings);
  const { store, client, options } = opened;
  const foreign = [
    `${options.prefix}:notes`,
    `${options.prefix}:{x}:list`,
    `${options.prefix}:{index-0}:mine`,
  ];
  for (const key of foreign) await client.set(key, "not the store's");
  expect(await listed(opened)).toEqual(["bad", "good", "other", "parent"]);
  await store.addMessage("x", user("1"));
  const scanned: string[] = [];
  for await (const id of sessionIds({ url: server.url }, options)) scanned.push(id);
  expect(scanned.sort()).toEqual(["bad", "good", "other", "parent", "x"]);
  for (const key of foreign) expect(await client.get(key)).toBe("not the store's");
});
