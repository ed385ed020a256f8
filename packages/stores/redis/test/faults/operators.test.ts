import { createHash } from "node:crypto";
import { SessionError, type SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { Redis } from "ioredis";
import { type RedisServer, startServer } from "redis-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Ledger, type LedgerStore } from "./ledger.js";
import { listTwin } from "./list-twin.js";
import { Load } from "./load.js";
import { storedKeys } from "./stored-keys.js";

let server: RedisServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const SESSIONS = ["a", "b", "c"];

async function underLoad(prefix: string, disturb: () => Promise<unknown>): Promise<Ledger> {
  await using one = await openRedisStore({ url: server.url }, { prefix });
  await using other = await openRedisStore({ url: server.url }, { prefix });
  const ledger = await disturbed([one, other], disturb);
  expect(await ledger.findings(one)).toEqual([]);
  return ledger;
}

async function disturbed(stores: readonly LedgerStore[], disturb: () => Promise<unknown>): Promise<Ledger> {
  const ledger = new Ledger();
  const load = new Load(stores, SESSIONS, ledger);
  for (let times = 0; times < 10; times++) {
    await load.more(30);
    await disturb();
  }
  await load.more(30);
  await load.stop();
  return ledger;
}

/** A driver that counts on what it loaded once, and on its connection: what fails is told, and not tried again. */
function trustingTwin(client: Redis): LedgerStore {
  const lua = "return redis.call('RPUSH', KEYS[1], ARGV[1])";
  const sha = createHash("sha1").update(lua).digest("hex");
  const load = (): Promise<unknown> => client.script("LOAD", lua);
  return listTwin({
    push: (session, text) =>
      client.evalsha(sha, 1, `twin:${session}`, text).catch(async (error: unknown) => {
        await load().catch(() => undefined); // for the next one
        throw error;
      }),
    texts: (session) => client.lrange(`twin:${session}`, 0, -1),
  });
}

describe("what an operator may do to the server", () => {
  test("SCRIPT FLUSH under load: nobody notices", async () => {
    const ledger = await underLoad("flush", () => server.call("SCRIPT", "FLUSH"));
    expect([...ledger.errors]).toEqual([]);
  });

  test("CLIENT KILL under load: nobody notices", async () => {
    const ledger = await underLoad("kill", () => server.call("CLIENT", "KILL", "TYPE", "normal"));
    expect([...ledger.errors]).toEqual([]);
  });

  test("SCRIPT FLUSH and CLIENT KILL at once: nobody notices", async () => {
    const both = async (): Promise<unknown> =>
      Promise.all([server.call("SCRIPT", "FLUSH"), server.call("CLIENT", "KILL", "TYPE", "normal")]);
    expect([...(await underLoad("both", both)).errors]).toEqual([]);
  });

  test.each([
    ["SCRIPT FLUSH", () => server.call("SCRIPT", "FLUSH")],
    ["CLIENT KILL", () => server.call("CLIENT", "KILL", "TYPE", "normal")],
  ])("%s: the check can fail: a driver that counts on nobody doing so is found out", async (_, disturb) => {
    const client = new Redis(server.url, { maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false });
    client.on("error", () => undefined);
    const ledger = await disturbed([trustingTwin(client)], disturb);
    expect([...ledger.errors.keys()]).toEqual(["STORE_UNAVAILABLE"]);
    client.disconnect();
  });

  test("no memory: STORE_FULL, nothing half written, reads go on, and so does everything when there is room", async () => {
    const prefix = "memory";
    await using store = await openRedisStore({ url: server.url }, { prefix });
    const chat = store.session("chat");
    await chat.addMessage([1, 2, 3, 4].map((n) => ({ role: "user", content: `m${n}` })));
    await chat.createSnapshot("s");
    await chat.addMessage({ role: "user", content: "m5" });
    const before = await storedKeys(server, prefix);
    await server.call("CONFIG", "SET", "maxmemory", 1);
    try {
      for (const [name, write] of Object.entries(writes(store))) {
        const error = await write().catch((reason: unknown) => reason);
        expect(SessionError.is(error, "STORE_FULL"), `${name}: ${String(error)}`).toBe(true);
      }
      expect((await chat.getChatHistory()).length).toBe(5);
      expect(await listIds(store)).toEqual(["chat"]);
      expect(await storedKeys(server, prefix)).toEqual(before);
    } finally {
      await server.call("CONFIG", "SET", "maxmemory", 0);
    }
    for (const write of Object.values(writes(store))) await write();
    expect((await store.verify("chat")).ok).toBe(true);
  });
});

/** Changes of every kind. */
function writes(store: SessionStore): Readonly<Record<string, () => Promise<unknown>>> {
  const chat = store.session("chat");
  const message = { role: "user", content: "more" };
  const many = Array.from({ length: 6000 }, (_, index) => ({ role: "user", content: `many ${index}` }));
  return {
    append: () => chat.addMessage(message),
    set: () => chat.updateSessionMetadata({ key: "value" }),
    count: () => chat.incrementCounters({ turns: 1 }),
    archive: () => chat.archiveMessages({ keepRecent: 1 }),
    snapshot: () => chat.createSnapshot(),
    revert: () => chat.revertToSnapshot("s"),
    replace: () => chat.setChatHistory(many),
    turn: () => chat.runTurn({}, async () => []),
    fork: () => chat.forkSession({ newId: "fork" }),
    create: () => store.createSession("new"),
  };
}

async function listIds(store: SessionStore): Promise<readonly string[]> {
  return (await store.listSessions({ order: "id-asc" })).items.map(({ id }) => id);
}
