import { SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { labelKey, parentKey } from "../src/keys/keys.js";
import { checkIndex, repairIndex, sessionIds } from "../src/maintenance.js";
import { openRedisStore } from "../src/open-redis-store.js";
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

test.each(["session", "record"] as const)(
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
    expect((await store.getChildren("parent")).map(({ id }) => id)).toEqual(["good"]);
    for (const order of ["updated-desc", "created-asc", "id-asc"] as const)
      expect(await listed(opened, { order })).toEqual(["good", "other", "parent"]);
    expect(await listed(opened, { labels: { kind: "fork" } })).toEqual(["good"]);
    expect(warnings.filter((text) => text.includes('"bad"'))).not.toEqual([]);
    await store.addMessage("good", user("2"));
    await store.addMessage("new", user("1"));
    await store.addMessage("good", user("3")); // the watcher may begin after the others
    expect((await first).done).toBe(false);
    controller.abort();
    const scanned: string[] = [];
    for await (const id of sessionIds({ url: server.url }, options)) scanned.push(id);
    expect(scanned.sort()).toEqual(["bad", "good", "new", "other", "parent"]);
    expect(await repairIndex({ url: server.url }, options)).toMatchObject({
      damaged: ["bad"],
      lost: [],
      setAside: [],
    });
    expect(await client.get(keys.session("bad")[part])).toBe("not the store's");
  },
);

test("an index key of another type is named to whoever needs it, and doctor moves it out of the way", async () => {
  await using opened = await filled([]);
  const { store, client, keys, options } = opened;
  const { url } = server;
  const partition = keys.partitionOf("good");
  const overwritten = [
    partition.recent,
    partition.created,
    partition.ends,
    partition.entries,
    labelKey(partition, "kind", "fork"),
    parentKey(partition, "parent"),
  ];
  for (const key of overwritten) await client.set(key, "not the store's");
  for (const order of ["updated-desc", "created-asc", "id-asc"] as const)
    await expect(listed(opened, { order })).rejects.toMatchObject({
      code: "DATA_LOST",
      message: expect.stringContaining(`${partition.tag}:`),
    });
  await expect(store.getChildren("parent")).rejects.toMatchObject({ code: "DATA_LOST" });
  expect((await store.getChatHistory("good")).map(({ content }) => content)).toEqual(["1"]);
  await expect(store.addMessage("good", user("2"))).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    retryable: false,
    message: expect.stringContaining(partition.tag),
  });
  for (const key of overwritten) expect(await client.get(key)).toBe("not the store's");
  const problems = (await checkIndex({ url }, options)).map(({ problem }) => problem);
  for (const key of overwritten) expect(problems).toContainEqual(expect.stringContaining(key));
  const { setAside, lost, damaged } = await repairIndex({ url }, options);
  expect({ lost, damaged }).toEqual({ lost: [], damaged: [] });
  expect(await Promise.all(setAside.map((key) => client.get(key)))).toEqual(
    overwritten.map(() => "not the store's"),
  );
  expect(await checkIndex({ url }, options)).toEqual([]);
  await store.addMessage("good", user("2"));
  expect(await listed(opened)).toEqual(["bad", "good", "other", "parent"]);
  expect(await listed(opened, { labels: { kind: "fork" } })).toEqual(["bad", "good"]);
  expect((await store.getChildren("parent")).map(({ id }) => id).sort()).toEqual(["bad", "good"]);
});

test.each(["head", "ids", "ends", "entries"] as const)(
  "where the %s of a partition is of another type, the index is named, and no session is called damaged",
  async (name) => {
    await using opened = await openedStore(server, { partitions: 1 });
    const { store, client, keys, options } = opened;
    await store.createSession("s", { labels: { kind: "one" }, messages: [user("1")] });
    await using fresh = await openRedisStore({ url: server.url }, options);
    await fresh.getSession("s");
    await using unread = await openRedisStore({ url: server.url }, options);
    const key = keys.partition(0)[name];
    await client.set(key, "not the store's");
    for (const one of [fresh, unread])
      for (const call of [
        () => one.getSession("s"),
        () => one.getSession("absent"),
        () => one.verify("s"),
        () => one.addMessage("s", user("2")),
        () => one.addMessage("new", user("1")),
        () => one.createSession("other"),
        () => one.setChatHistory("s", [user("3")]),
      ]) {
        const error: unknown = await call().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) continue;
        expect(error).toMatchObject({ message: expect.stringContaining(key) });
        expect(["DATA_LOST", "STORE_UNAVAILABLE"]).toContain(SessionError.is(error) ? error.code : error);
        expect(error).toMatchObject({ message: expect.stringContaining("doctor --fix") });
      }
    expect(await client.get(key)).toBe("not the store's");
    expect(await repairIndex({ url: server.url }, options)).toMatchObject({ damaged: [], lost: [] });
    expect((await fresh.verify("s"))?.ok).toBe(true);
    await fresh.addMessage("new", user("1"));
    await unread.addMessage("s", user("4"));
    expect(await listed(opened)).toEqual(expect.arrayContaining(["new", "s"]));
  },
);

test("foreign keys below the prefix disturb nobody", async () => {
  const warnings: string[] = [];
  await using opened = await filled(warnings);
  const { store, client, options } = opened;
  const foreign = [
    `${options.prefix}:notes`,
    `${options.prefix}:{x}:list`,
    `${opened.keys.partition(0).tag}:mine`,
  ];
  for (const key of foreign) await client.set(key, "not the store's");
  expect(await listed(opened)).toEqual(["bad", "good", "other", "parent"]);
  await store.addMessage("x", user("1"));
  const scanned: string[] = [];
  for await (const id of sessionIds({ url: server.url }, options)) scanned.push(id);
  expect(scanned.sort()).toEqual(["bad", "good", "other", "parent", "x"]);
  for (const key of foreign) expect(await client.get(key)).toBe("not the store's");
});
