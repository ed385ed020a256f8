import { readFile } from "node:fs/promises";
import { SessionError, type SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { type RedisServer, startServer } from "redis-servers";
import { afterAll, beforeAll, expect, test } from "vitest";

const GUIDE = new URL("../../../../../docs/guide/redis.md", import.meta.url);

/** Greetings that the driver sends and can do without, and what only wakes watchers up. */
const OPTIONAL = new Set("+client +info +ping +select +subscribe".split(" "));

/** What is sent outside of scripts alone: it changes nothing, and says so at once. */
const UNPROBED = new Set(["+eval", ...OPTIONAL]);

let server: RedisServer;
let rules: readonly string[];

beforeAll(async () => {
  server = await startServer();
  const [, given = ""] = /^ACL SETUSER sessions ([^`]*)```/m.exec(await readFile(GUIDE, "utf8")) ?? [];
  rules = given.trim().split(/\s+/);
});
afterAll(() => server.stop());

const url = (): string => server.url.replace("//", "//sessions:secret@");

/** A bit of everything. */
async function everything(store: SessionStore): Promise<void> {
  const messages = Array.from({ length: 600 }, (_, index) => ({ role: "user", content: `message ${index}` }));
  await store.createSession("a", { labels: { agent: "x" }, expiresAt: Date.now() + 3_600_000 });
  const chat = store.session("a");
  for (let sent = 0; sent < 3; sent++)
    await chat.addMessage({ role: "user", content: "hello" }, { commitId: `c${sent}` });
  await chat.createSnapshot("s");
  await chat.setChatHistory(messages);
  await chat.forkSession({ newId: "large" });
  await chat.archiveMessages({ keepRecent: 10 });
  await chat.revertToSnapshot("s");
  await chat.patchSession({ labels: { agent: "y" }, expiresAt: null });
  await chat.runTurn({}, async () => []);
  await chat.forkSession({ newId: "b" });
  await store.importSession(await store.exportSession("a"), { newId: "c" });
  expect((await store.listSessions({ labels: { agent: "y" } })).items.length).toBe(3);
  for (const order of ["id-asc", "updated-desc", "created-desc"] as const)
    expect((await store.listSessions({ order })).items.length).toBe(4);
  expect((await store.getChildren("a")).length).toBe(2);
  expect((await store.verify("a")).ok).toBe(true);
  await watched(store);
  for (const id of ["a", "b", "c", "large"]) await store.deleteSession(id);
}

async function watched(store: SessionStore): Promise<void> {
  const stop = new AbortController();
  const changes = store.watch({ session: "a", signal: stop.signal })[Symbol.asyncIterator]();
  const next = changes.next();
  await store.addMessage("a", { role: "user", content: "news" });
  await next;
  stop.abort();
  await changes.return?.();
}

/** Does everything as a user with these rules, and answers how it failed. */
async function failure(allowed: readonly string[]): Promise<unknown> {
  await server.call("FLUSHALL");
  await server.call("SCRIPT", "FLUSH");
  await server.call("ACL", "SETUSER", "sessions", "reset", ...allowed);
  try {
    await using store = await openRedisStore({ url: url() }, { deadlineMs: 2000 });
    await everything(store);
    return undefined;
  } catch (error) {
    return error;
  }
}

test("a user with exactly the rules of the guide can do everything", async () => {
  expect(rules).toContain("+evalsha");
  expect(await failure(rules)).toBeUndefined();
});

test("with one rule less something fails, and the error says why", async () => {
  const needed = rules.filter((rule) => /^[+~&]/.test(rule) && !OPTIONAL.has(rule));
  const unclear: string[] = [];
  for (const rule of needed) {
    const error = await failure(rules.filter((one) => one !== rule));
    const isClear =
      SessionError.is(error, "STORE_UNAVAILABLE") && error.message.includes("may not use a command or key");
    if (!isClear) unclear.push(`${rule}: ${String(error)}`);
  }
  expect(unclear).toEqual([]);
});

test("a command that the user may not use is named when the store is opened, before anything is stored", async () => {
  const probed = rules.filter((rule) => rule.startsWith("+") && !UNPROBED.has(rule));
  expect(probed).toContain("+publish");
  const unclear: string[] = [];
  for (const rule of probed) {
    await server.call("FLUSHALL");
    await server.call("ACL", "SETUSER", "sessions", "reset", ...rules.filter((one) => one !== rule));
    const opened = await openRedisStore({ url: url() }, { deadlineMs: 2000 }).then(
      (store) => store.close(),
      (error: unknown) => error,
    );
    const isClear =
      SessionError.is(opened, "STORE_UNAVAILABLE") && opened.message.toLowerCase().includes(rule.slice(1));
    if (!isClear) unclear.push(`${rule}: ${String(opened)}`);
    // Where even UNLINK is forbidden, the key goes by itself in a moment.
    await expect.poll(() => server.call("DBSIZE")).toBe(0);
  }
  expect(unclear).toEqual([]);
});

test("who may not wait for replicas is told when the store is opened with them", async () => {
  await server.call("ACL", "SETUSER", "sessions", "reset", ...rules);
  const opening = openRedisStore({ url: url() }, { replicas: 1 });
  await expect(opening).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringMatching(/may not use .*docs\/guide\/redis\.md.*'wait'/),
  });
  await server.call("ACL", "SETUSER", "sessions", "+wait", "+set", "+get");
  await using _ = await openRedisStore({ url: url() }, { replicas: 1 });
});

test("a commit that was applied is acknowledged, though the right to publish was taken away meanwhile", async () => {
  await server.call("FLUSHALL");
  await server.call("ACL", "SETUSER", "sessions", "reset", ...rules);
  const warnings: string[] = [];
  await using store = await openRedisStore(
    { url: url() },
    { deadlineMs: 2000, onWarning: ({ message }) => warnings.push(message) },
  );
  for (const content of ["1", "2"]) await store.addMessage("chat", { role: "user", content });
  // Commits publish only where somebody watches.
  const controller = new AbortController();
  const changes = store
    .watch({ session: "chat", since: 0, signal: controller.signal })
    [Symbol.asyncIterator]();
  await changes.next();
  await server.call("ACL", "SETUSER", "sessions", "-publish");
  await store.addMessage("chat", { role: "user", content: "3" });
  await store.updateSessionMetadata("chat", { key: "value" });
  const session = await store.getSession("chat");
  expect(session).toMatchObject({ revision: 4, metadata: { key: "value" } });
  expect(session?.messages.map(({ content }) => content)).toEqual(["1", "2", "3"]);
  expect(warnings).toEqual([expect.stringContaining("may not PUBLISH")]);
  expect((await changes.next()).value).toMatchObject({ sessionId: "chat" });
  controller.abort();
});

test("describe() works for that user, and says what it may not know", async () => {
  await failure(rules);
  await using store = await openRedisStore({ url: url() });
  const { healthy, durability } = await store.describe();
  expect(healthy).toBe(true);
  expect(durability.detail).toContain("unknown");
});
