import type { Message } from "@sessions/protocol/backend";
import { Runs } from "@sessions/row-engine";
import { expect, test } from "vitest";
import { Glance } from "../src/glance.js";
import type { Head } from "../src/moment.js";
import { openRedisStore } from "../src/open-redis-store.js";
import { RowTable } from "../src/row-table.js";
import { rowText } from "../src/row-text.js";
import { sharedServer } from "./servers.js";
import { type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

/** The commands that the server ran meanwhile, scripts as a whole. */
async function commandsOf({ client }: OpenedStore, work: () => Promise<unknown>): Promise<readonly string[]> {
  await client.config("RESETSTAT");
  await work();
  const lines = (await client.info("commandstats")).matchAll(/cmdstat_(\w+):calls=(\d+)/g);
  return [...lines].map(([, name, calls]) => `${name} ${calls}`).filter((line) => /hmget|evalsha/.test(line));
}

async function bytesSentBy({ client }: OpenedStore, work: () => Promise<unknown>): Promise<number> {
  const sent = async (): Promise<number> =>
    Number(/total_net_output_bytes:(\d+)/.exec(await client.info("stats"))?.[1]);
  const [before, idle] = [await sent(), await sent()];
  await work();
  return (await sent()) - idle - (idle - before);
}

const contentsOf = async (reading: Promise<readonly Message[]>): Promise<unknown> =>
  (await reading).map(({ content }) => content);

test("a session that was read before is read with one plain command, and brings nothing that this store has appended", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  await store.addMessage("s", user("1"));
  await store.getChatHistory("s");
  await store.addMessage("s", user("2".repeat(10_000)));
  await store.addMessage("s", [user("3"), user("4")]);
  const read = (): Promise<unknown> => store.getChatHistory("s");
  expect(await bytesSentBy(opened, read)).toBeLessThan(1000);
  expect(await commandsOf(opened, read)).toEqual(["hmget 1"]);
  expect(await contentsOf(store.getChatHistory("s"))).toEqual(["1", "2".repeat(10_000), "3", "4"]);
});

test("what others have done meanwhile is seen: messages, few and many, anything else, another life", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  const other = await openRedisStore({ url: server.url }, options);
  const read = (): Promise<unknown> => contentsOf(store.getChatHistory("s"));
  await store.addMessage("s", user("1"));
  await read();
  await store.addMessage("s", user("2"));
  await other.addMessage("s", user("3"));
  await store.addMessage("s", user("4"));
  expect(await read()).toEqual(["1", "2", "3", "4"]);
  const many = Array.from({ length: 100 }, (_, n) => `${n + 5}`);
  await other.addMessage("s", many.map(user));
  expect(await read()).toEqual(["1", "2", "3", "4", ...many]);
  await other.patchSession("s", { title: "named" });
  expect((await store.getSession("s", { messages: "none" }))?.title).toBe("named");
  await other.deleteSession("s");
  await other.addMessage("s", ["a", "b"].map(user));
  await store.addMessage("s", user("c"));
  expect(await read()).toEqual(["a", "b", "c"]);
  await other.close();
});

test("rows that came between a question and its answer do not move those that were asked for", () => {
  const table = new RowTable();
  const textOf = (row: number): string =>
    rowText({ id: `m${row}`, role: "user", content: `${row}`, createdAt: 1 }, row, 1);
  const put = (row: number): void => table.read(row, textOf(row), "", "v");
  const head: Head = {
    ...{ revision: 2, incarnation: "i", life: "l", expiresAt: undefined, nextRow: 2, updatedAt: 1, lease: 1 },
    ...{ version: "v", partsVersion: "p", turnHorizon: 0 },
  };
  const small = { createdAt: 1, labels: {}, counters: {}, queue: [], runs: [[0]], liveFrom: 0, partials: [] };
  const content = { small, parts: { metadata: {}, archives: [], snapshots: [] }, table };
  put(0);
  put(1);
  const glance = new Glance({ head, content }, true);
  put(2);
  const present = glance.read(["v", "4", "4", "1", "1", textOf(2), textOf(3)], "");
  expect(present?.head.nextRow).toBe(4);
  const read = table.all(new Runs([{ from: 0, to: 4 }]), "v");
  expect(read.map(({ message }) => message.content)).toEqual(["0", "1", "2", "3"]);
});

test("readings that are under way while rows come bring each message once, in order", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  const other = await openRedisStore({ url: server.url }, options);
  const written: string[] = [];
  const readings: Promise<unknown>[] = [];
  for (let n = 0; n < 200; n++) {
    const content = `${n}`;
    readings.push(contentsOf(store.getChatHistory("s")));
    await (n % 3 === 0 ? other : store).addMessage("s", user(content));
    written.push(content);
    readings.push(contentsOf(store.getChatHistory("s")), contentsOf(store.getChatHistory("s")));
  }
  for (const read of await Promise.all(readings))
    expect(read).toEqual(written.slice(0, Array.isArray(read) ? read.length : 0));
  await other.close();
});

test("more appended than a store keeps in mind is read from the server", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  await store.addMessage("s", user("0"));
  await store.getChatHistory("s");
  for (let n = 1; n <= 40; n++) await store.addMessage("s", user(`${n}`));
  const expected = Array.from({ length: 41 }, (_, n) => `${n}`);
  expect(await contentsOf(store.getChatHistory("s"))).toEqual(expected);
  await store.addMessage("s", user("x".repeat(20_000)));
  await store.addMessage("s", user("41"));
  expect(await contentsOf(store.getChatHistory("s"))).toEqual([...expected, "x".repeat(20_000), "41"]);
});

test.each([
  { begin: "a message", told: [1, 1, 1] },
  { begin: "createSession", told: [1, 2, 2] },
])(
  "how often the index is told of a session that begins with $begin, and then has two messages",
  async ({ begin, told }) => {
    await using opened = await openedStore(server);
    const { store, client, keys } = opened;
    const seen = new Set<string | null>();
    const timesTold = async (): Promise<number> =>
      seen.add(await client.hget(keys.shardOf("s").entries, "s")).size;
    await (begin === "a message" ? store.addMessage("s", user("0")) : store.createSession("s"));
    const times = [await timesTold()];
    for (const content of ["1", "2"]) {
      await store.addMessage("s", user(content));
      times.push(await timesTold());
    }
    expect(times).toEqual(told);
    expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["s"]);
  },
);

test("of several who find a session that was only created, one tells the index", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys, options } = opened;
  await store.createSession("s");
  await using one = await openRedisStore({ url: server.url }, options);
  await using two = await openRedisStore({ url: server.url }, options);
  for (const each of [one, two]) await each.getChatHistory("s");
  await one.addMessage("s", user("1"));
  const entry = await client.hget(keys.shardOf("s").entries, "s");
  await two.addMessage("s", user("2"));
  expect(await client.hget(keys.shardOf("s").entries, "s")).toBe(entry);
});

test("who comes to a session that others write is overtaken by nobody: its first append goes the fast lane", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys, options } = opened;
  await store.addMessage("s", user("1"));
  const { session } = keys.session("s");
  const version = await client.hget(session, "o");
  await using other = await openRedisStore({ url: server.url }, options);
  expect(await other.addMessage("s", user("2"))).toMatchObject({ revision: 2 });
  expect(await client.hget(session, "o")).toBe(version);
  // What is not plain is decided as before.
  await using third = await openRedisStore({ url: server.url }, options);
  await third.addMessage("s", user("3"), { ifRevision: 2 });
  expect(await client.hget(session, "o")).not.toBe(version);
  expect(await contentsOf(store.getChatHistory("s"))).toEqual(["1", "2", "3"]);
});
