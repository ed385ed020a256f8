import type { SessionStore } from "@sessions/protocol";
import { startFaultProxy } from "redis-servers";
import { expect, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { codeOf, keptPartition, type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });
const contents = (messages: readonly { readonly content?: unknown }[]): readonly unknown[] =>
  messages.map(({ content }) => content);

test("SCRIPT FLUSH at any time: every append is applied once and in order", async () => {
  await using opened = await openedStore(server);
  const { store, client } = opened;
  await store.addMessage("s", user("0"));
  const appends: Promise<unknown>[] = [];
  for (let n = 1; n <= 300; n++) {
    appends.push(store.addMessage("s", user(`${n}`)));
    if (n % 20 === 0) {
      await client.script("FLUSH");
      await new Promise(setImmediate);
    }
  }
  await Promise.all(appends);
  const expected = Array.from({ length: 301 }, (_, n) => `${n}`);
  expect(contents(await store.getChatHistory("s"))).toEqual(expected);
});

test("CLIENT KILL at any time: every append is applied once, and the store goes on", async () => {
  await using opened = await openedStore(server);
  const { store, client } = opened;
  await store.addMessage("s", user("0"));
  const appends: Promise<unknown>[] = [];
  for (let n = 1; n <= 300; n++) {
    appends.push(store.addMessage("s", user(`${n}`)));
    if (n % 50 === 0) {
      await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      await new Promise(setImmediate);
    }
  }
  await Promise.all(appends);
  const expected = Array.from({ length: 301 }, (_, n) => `${n}`);
  expect(contents(await store.getChatHistory("s"))).toEqual(expected);
  expect(await store.describe()).toMatchObject({ healthy: true });
});

test("a session whose keys are gone is DATA_LOST to the caller who knows of it, and damaged from then on", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  await store.addMessage("s", user("1"));
  await store.addMessage("s", user("2"));
  const { record, session } = keys.session("s");
  await client.del(record, session);
  expect(await codeOf(store.getSession("s"))).toBe("DATA_LOST");
  // The index still names it: it is damaged, and not taken for absent.
  expect(await codeOf(store.getSession("s"))).toBe("SESSION_CORRUPTED");
  expect(await codeOf(store.addMessage("s", user("3")))).toBe("SESSION_CORRUPTED");
});

test("a server that has lost what it acknowledged is told so before anything is appended to what is left", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  for (const content of ["1", "2"]) await store.addMessage("s", user(content));
  const goBack = await keptPartition(opened, "s");
  await store.addMessage("s", user("3"));
  await goBack();
  expect(await codeOf(store.addMessage("s", user("4")))).toBe("DATA_LOST");
  expect(contents(await store.getChatHistory("s"))).toEqual(["1", "2"]);
  await store.addMessage("s", user("5"));
  expect(contents(await store.getChatHistory("s"))).toEqual(["1", "2", "5"]);
});

/** The reader has seen a third message; then the server lost it, and gave its number to another one. */
async function overwrittenBehind(opened: OpenedStore, reader: SessionStore): Promise<void> {
  const { store, options } = opened;
  for (const content of ["1", "2"]) await store.addMessage("s", user(content));
  const goBack = await keptPartition(opened, "s");
  await store.addMessage("s", user("3"));
  expect(contents(await reader.getChatHistory("s"))).toEqual(["1", "2", "3"]);
  await goBack();
  await using other = await openRedisStore({ url: server.url }, options);
  await other.addMessage("s", user("4"));
}

test("who only reads is not shown rows that the server has lost, though others have their numbers now", async () => {
  await using opened = await openedStore(server);
  await using reader = await openRedisStore({ url: server.url }, opened.options);
  await overwrittenBehind(opened, reader);
  await opened.client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  expect(contents(await reader.getChatHistory("s"))).toEqual(["1", "2", "4"]);
});

test("nor if the connection is lost when the reader has asked already", async () => {
  await using proxy = await startFaultProxy(server.port);
  await using opened = await openedStore(server);
  await using reader = await openRedisStore({ url: proxy.url }, opened.options);
  await overwrittenBehind(opened, reader);
  const cut = proxy.plan({ on: "request", act: "cut", when: (passing) => passing.command[0] === "evalsha" });
  expect(contents(await reader.getChatHistory("s"))).toEqual(["1", "2", "4"]);
  await cut.struck;
});

test("describe() tells what the server's settings promise, and warns of what can be lost", async () => {
  const warnings: string[] = [];
  await using opened = await openedStore(server, { onWarning: ({ message }) => warnings.push(message) });
  const { store, client } = opened;
  await client.config("SET", "maxmemory", "1gb", "maxmemory-policy", "allkeys-lru", "appendonly", "no");
  try {
    const description = await store.describe();
    expect(description.durability).toMatchObject({ survives: "process" });
    expect(description.warnings).toEqual([
      expect.stringContaining("appendonly is off"),
      expect.stringContaining("maxmemory-policy is allkeys-lru"),
    ]);
    expect(warnings).toEqual(description.warnings);
  } finally {
    await client.config("SET", "maxmemory", "0", "maxmemory-policy", "noeviction");
  }
  await client.config("SET", "appendonly", "yes", "appendfsync", "always");
  expect((await store.describe()).durability).toMatchObject({ survives: "machine" });
  await client.config("SET", "appendonly", "no");
});

test("keys that are put back to an earlier moment are read as they are, also by a store that knows a later one", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  const open = () => openRedisStore({ url: server.url }, opened.options);
  for (const content of ["1", "2"]) await store.addMessage("s", user(content));
  const goBack = await keptPartition(opened, "s");
  await store.addMessage("s", user("3"));
  await using reader = await open();
  expect(contents(await reader.getChatHistory("s"))).toEqual(["1", "2", "3"]);
  await goBack();
  expect(contents(await reader.getChatHistory("s"))).toEqual(["1", "2"]);
  await using other = await open();
  await other.addMessage("s", user("other"));
  expect(await reader.getSession("s")).toEqual(await other.getSession("s"));
});

test("a session that ends between two steps of a read is absent, and not damaged", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  await using proxy = await startFaultProxy(server.port);
  await using reader = await openRedisStore({ url: proxy.url }, options);
  const messages = Array.from({ length: 700 }, (_, n) => user(`${n}`));
  await store.createSession("s", { messages, expiresAt: Date.now() + 1000 });
  await store.getSession("s"); // the server knows the script
  const isScript = ({ command: [name = ""] }: { readonly command: readonly string[] }): boolean =>
    /^eval/i.test(name);
  const step = proxy.plan({ on: "request", act: "stall", when: isScript, after: 1 });
  const reading = reader.getSession("s");
  await Promise.race([step.struck, reading]);
  while (await store.sessionExists("s")) await new Promise((resolve) => setTimeout(resolve, 5));
  step.lift();
  expect(await reading).toBeUndefined();
});
