import { readdir, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { SessionError, type SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { type RedisServer, startFaultProxy, startServer } from "redis-servers";
import { describe, expect, test } from "vitest";
import { Ledger } from "./ledger.js";
import { Load } from "./load.js";

const SESSIONS = ["a", "b", "c"];
const LOST_BYTES = 2000;

/** What a machine that lost its power forgets: the end of the file, which was not on its disk yet. */
async function loseTail(server: RedisServer): Promise<void> {
  const folder = join(server.folder, "appendonlydir");
  const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".incr.aof"));
  const { size } = await stat(join(folder, name));
  await truncate(join(folder, name), Math.max(0, size - LOST_BYTES));
}

/** Errors of reads and of writes after a loss. */
async function codesOf(store: SessionStore): Promise<readonly string[]> {
  const settled = await Promise.allSettled([
    ...SESSIONS.map((session) => store.getSession(session)),
    ...SESSIONS.map((session) => store.addMessage(session, { role: "user", content: "after" })),
  ]);
  return settled.flatMap((one) =>
    one.status === "rejected" && SessionError.is(one.reason) ? [one.reason.code] : [],
  );
}

describe("a server that is killed -9 under load", () => {
  test("and writes each command before it answers has lost nothing that was acknowledged", async () => {
    await using server = await startServer({ aof: "always" });
    await using one = await openRedisStore({ url: server.url });
    await using other = await openRedisStore({ url: server.url });
    expect((await one.describe()).durability.survives).toBe("machine");
    const ledger = new Ledger();
    const load = new Load([one, other], SESSIONS, ledger);
    for (let kill = 0; kill < 4; kill++) {
      await load.more(60);
      await server.kill();
      await server.restart();
    }
    await load.more(60);
    await load.stop();
    expect(ledger.errors.has("DATA_LOST")).toBe(false);
    expect(await ledger.findings(one)).toEqual([]);
    expect(await ledger.findings(other)).toEqual([]);
  });

  test("and keeps nothing: the check can fail, and the loss is told as DATA_LOST", async () => {
    await using server = await startServer();
    await using store = await openRedisStore({ url: server.url });
    const { durability, warnings } = await store.describe();
    expect(durability.survives).toBe("process");
    expect(durability.detail).toContain("If the server dies");
    expect(warnings).toContainEqual(expect.stringContaining("appendonly is off"));
    const ledger = new Ledger();
    for (const session of SESSIONS) await ledger.send(store, session);
    await server.kill();
    await server.restart();
    expect(await codesOf(store)).toContain("DATA_LOST");
    await using fresh = await openRedisStore({ url: server.url });
    expect(await ledger.findings(fresh)).toHaveLength(SESSIONS.length);
  });
});

describe("a machine that loses its power while the server writes once a second", () => {
  test("was described as one that can, and the loss is told as DATA_LOST", async () => {
    await using server = await startServer({ aof: "everysec" });
    await using store = await openRedisStore({ url: server.url });
    const { durability, warnings } = await store.describe();
    expect(durability.survives).toBe("process");
    expect(`${durability.detail} ${warnings.join(" ")}`).toMatch(/second/);
    const ledger = new Ledger();
    for (let sent = 0; sent < 30; sent++) await ledger.send(store, SESSIONS[sent % 3] ?? "");
    await server.kill();
    await loseTail(server);
    await server.restart();
    expect(await codesOf(store)).toContain("DATA_LOST");
    await using fresh = await openRedisStore({ url: server.url });
    expect((await ledger.findings(fresh)).length).toBeGreaterThan(0);
  });
});

describe("a loss that comes together with a call that was not answered", () => {
  test("is told all the same", async () => {
    await using server = await startServer();
    await using proxy = await startFaultProxy(server.port);
    await using store = await openRedisStore({ url: proxy.url });
    const message = { role: "user", content: "hello" };
    for (let sent = 0; sent < 2; sent++) await store.addMessage("chat", message);
    const stall = proxy.plan({ on: "reply", act: "stall", when: ({ command }) => command[0] === "evalsha" });
    const call = store.addMessage("chat", message).catch((error: unknown) => error);
    await stall.struck;
    await server.kill();
    await server.restart();
    proxy.calm();
    proxy.cutAll();
    expect(SessionError.is(await call, "DATA_LOST")).toBe(true);
  });
});
