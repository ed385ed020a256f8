import { randomBytes } from "node:crypto";
import { type RedisServer, startServer } from "redis-servers";
import { describe, expect, test } from "vitest";
import { openRedisStore } from "../../src/open-redis-store.js";
import type { RedisStoreOptions } from "../../src/options.js";
import { type Kept, silentLosses, type Watched } from "../harness/told-truth.js";
import { sharedServer } from "../servers.js";

const server = await sharedServer();

const TEST_MS = 180_000;

type Opened = Watched & AsyncDisposable;

async function opened({ url }: RedisServer, options: RedisStoreOptions): Promise<Opened> {
  const warnings: string[] = [];
  const store = await openRedisStore(
    { url },
    { ...options, onWarning: ({ message }) => warnings.push(message) },
  );
  return { store, warnings, [Symbol.asyncDispose]: () => store.close() };
}

/** Sessions with and without labels, an end, a parent; and some that are deleted. */
async function filled({ store }: Watched, count: number, padding: string): Promise<Kept> {
  const sessions = new Map<
    string,
    { readonly texts: readonly string[]; readonly labels: Record<string, string> }
  >();
  const deleted: string[] = [];
  for (let index = 0; index < count; index++) {
    const id = `session-${index}`;
    const labels: Record<string, string> = index % 2 === 0 ? { user: "ada" } : {};
    const texts = [`${index}: one`, `${index}: two`];
    const expires = index % 3 === 0 ? { expiresAt: Date.now() + 3_600_000 } : {};
    await store.createSession(id, { labels, ...expires });
    for (const text of texts)
      await store.addMessage(id, { role: "user", content: text.padEnd(40) + padding });
    sessions.set(id, { texts: texts.map((text) => text.padEnd(40)), labels });
    if (index % 5 !== 4) continue;
    await store.deleteSession(id);
    sessions.delete(id);
    deleted.push(id);
  }
  await store.forkSession("session-0", { newId: "fork" });
  sessions.set("fork", {
    texts: sessions.get("session-0")?.texts ?? [],
    labels: (await store.getSession("fork"))?.labels ?? {},
  });
  return { sessions, deleted };
}

async function keysBelow(at: RedisServer, prefix: string): Promise<readonly string[]> {
  const keys = await at.call("KEYS", `${prefix}:*`);
  return Array.isArray(keys) ? keys.map(String).sort() : [];
}

/** What a store that was open, and one that is opened now, tell after a loss. */
async function lossesTold(
  at: RedisServer,
  options: RedisStoreOptions,
  warm: Watched,
  kept: Kept,
): Promise<readonly string[]> {
  const found = (await silentLosses(warm, kept)).map((what) => `open before: ${what}`);
  const fresh = await opened(at, options).catch((error: unknown) => String(error));
  if (typeof fresh === "string") return /DATA_LOST|has lost|lost/.test(fresh) ? found : [...found, fresh];
  await using _ = fresh;
  return [...found, ...(await silentLosses(fresh, kept)).map((what) => `opened after: ${what}`)];
}

describe("a key that was evicted is told by every later call", () => {
  test(
    "whichever key of the store it is",
    async () => {
      const findings: string[] = [];
      let keys = 1;
      for (let number = 0; number < keys; number++) {
        const options = { prefix: `lost-${randomBytes(4).toString("hex")}`, partitions: 1 };
        await using warm = await opened(server, options);
        const kept = await filled(warm, 5, "");
        const all = await keysBelow(server, options.prefix);
        keys = all.length;
        const key = all[number] ?? "";
        await server.call("DEL", key);
        const found = await lossesTold(server, options, warm, kept);
        findings.push(...found.map((what) => `without ${key.slice(options.prefix.length)}: ${what}`));
      }
      expect(keys).toBeGreaterThan(18);
      expect(findings).toEqual([]);
    },
    TEST_MS,
  );
});

test(
  "what a server evicts while another program fills it is told by every later call",
  async () => {
    await using crowded = await startServer();
    const options = { prefix: "crowded", partitions: 8 };
    await using warm = await opened(crowded, options);
    const kept = await filled(warm, 60, "x".repeat(4000));
    const before = (await keysBelow(crowded, options.prefix)).length;
    const used = Number(/used_memory:(\d+)/.exec(String(await crowded.call("INFO", "memory")))?.[1]);
    await crowded.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    await crowded.call("CONFIG", "SET", "maxmemory", used + 100_000);
    for (let index = 0; index < 100; index++) await crowded.call("SET", `other:${index}`, "y".repeat(4000));
    await crowded.call("CONFIG", "SET", "maxmemory", 0);
    const evicted = before - (await keysBelow(crowded, options.prefix)).length;
    const found = await lossesTold(crowded, options, warm, kept);
    console.log(`evicted ${evicted} of ${before} keys; silent: ${found.length}`);
    expect(evicted).toBeGreaterThan(10);
    expect(found).toEqual([]);
  },
  TEST_MS,
);

test.each([
  ["is flushed", (at: RedisServer) => at.call("FLUSHALL")],
  [
    "is restarted without its data",
    async (at: RedisServer) => {
      await at.kill();
      await at.restart();
    },
  ],
] as const)(
  "what a server loses when it %s is told by every later call of a store that was open",
  async (_name, lose) => {
    await using emptied = await startServer();
    await using warm = await opened(emptied, { prefix: "emptied" });
    const kept = await filled(warm, 10, "");
    await lose(emptied);
    expect(await silentLosses(warm, kept)).toEqual([]);
  },
);

test("the check can fail: a session that another store does not have is a silent loss", async () => {
  await using warm = await opened(server, { prefix: "whole" });
  const kept = await filled(warm, 2, "");
  await using other = await opened(server, { prefix: "empty" });
  expect(await silentLosses(other, kept)).toEqual(
    expect.arrayContaining(["the list lacks session-0", "getSession of session-0: nothing"]),
  );
});
