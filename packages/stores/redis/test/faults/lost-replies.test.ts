import { SessionError, type SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { Redis } from "ioredis";
import {
  type Act,
  type FaultPlan,
  type FaultProxy,
  type RedisServer,
  startFaultProxy,
  startServer,
} from "redis-servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Ledger } from "./ledger.js";

let server: RedisServer;
let proxy: FaultProxy;
let prefixes = 0;
let prefix: string;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

beforeEach(async () => {
  proxy = await startFaultProxy(server.port);
  prefix = `test-${++prefixes}`;
  return () => proxy.stop();
});

/** The commands that change sessions; not the greetings of a connection. */
const script: FaultPlan["when"] = ({ command }) => /^(eval|fcall)/i.test(command[0] ?? "");

/** After this, an append is one command: the session is made, and the index is told of more to come. */
async function settle(store: SessionStore): Promise<void> {
  for (const content of ["made", "known"]) await store.addMessage("chat", { role: "user", content });
}

describe("a reply that does not come", () => {
  test.each<readonly [FaultPlan["on"], Act]>([
    ["reply", "cut"],
    ["reply", "tear"],
    ["request", "cut"],
    ["request", "tear"],
  ])("(%s: %s) is asked for again: each commit counts once, and nobody notices", async (on, act) => {
    await using store = await openRedisStore({ url: proxy.url }, { prefix });
    const ledger = new Ledger();
    await ledger.send(store, "chat");
    const faults = Array.from({ length: 12 }, (_, index) =>
      proxy.plan({ on, act, when: script, after: 4 * index }),
    );
    for (let sent = 0; sent < 30; sent++) await ledger.send(store, sent % 3 === 0 ? "other" : "chat");
    proxy.calm();
    expect(faults.reduce((sum, { strikes }) => sum + strikes, 0)).toBeGreaterThanOrEqual(7);
    expect(ledger.acknowledged).toBe(31);
    expect([...ledger.errors]).toEqual([]);
    expect(await ledger.findings(store)).toEqual([]);
  });

  test("in time is OUTCOME_UNKNOWN with the commit id, and the same call again is safe", async () => {
    await using store = await openRedisStore({ url: proxy.url }, { prefix, deadlineMs: 400 });
    const chat = store.session("chat");
    await settle(store);
    const stall = proxy.plan({ on: "reply", act: "stall", when: script, times: Number.POSITIVE_INFINITY });
    const error = await chat
      .addMessage({ role: "user", content: "second" }, { commitId: "c-2" })
      .catch((e) => e);
    expect(SessionError.is(error, "OUTCOME_UNKNOWN") && error).toMatchObject({
      commitId: "c-2",
      sessionId: "chat",
    });
    stall.lift();
    proxy.calm();
    const again = await chat.addMessage({ role: "user", content: "second" }, { commitId: "c-2" });
    expect(again.duplicate).toBe(true);
    expect((await chat.getChatHistory()).map(({ content }) => content)).toEqual(["made", "known", "second"]);
  });

  test("to a call without a commit id still names one, with which the same call is safe", async () => {
    await using store = await openRedisStore({ url: proxy.url }, { prefix, deadlineMs: 400 });
    const chat = store.session("chat");
    await settle(store);
    proxy.plan({ on: "reply", act: "stall", when: script, times: Number.POSITIVE_INFINITY });
    const error = await chat.addMessage({ role: "user", content: "second" }).catch((e) => e);
    if (!SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
    proxy.calm();
    await chat.addMessage({ role: "user", content: "second" }, { commitId: error.commitId });
    expect((await chat.getChatHistory()).map(({ content }) => content)).toEqual(["made", "known", "second"]);
  });

  test("makes many callers wait, and each of them no longer than its deadline", async () => {
    await using store = await openRedisStore({ url: proxy.url }, { prefix, deadlineMs: 400 });
    const ledger = new Ledger();
    await ledger.send(store, "s-0");
    proxy.plan({ on: "reply", act: "stall", times: Number.POSITIVE_INFINITY });
    const calls = Array.from({ length: 60 }, (_, index) =>
      ledger.send(store, `s-${index % 6}`, { repeat: "never" }),
    );
    const reads = Promise.allSettled(Array.from({ length: 6 }, (_, index) => store.getSession(`s-${index}`)));
    const fates = await Promise.all(calls);
    expect(fates.filter((fate) => fate === "acknowledged")).toEqual([]);
    for (const read of await reads)
      expect(read.status === "rejected" && SessionError.is(read.reason, "STORE_UNAVAILABLE")).toBe(true);
    expect(ledger.late).toBe(0);
    proxy.calm();
    expect(await ledger.findings(store)).toEqual([]);
  });

  test("the check can fail: who repeats without a commit id has it twice", async () => {
    await using store = await openRedisStore({ url: proxy.url }, { prefix, deadlineMs: 400 });
    const ledger = new Ledger();
    await settle(store);
    await ledger.send(store, "other");
    const stall = proxy.plan({ on: "reply", act: "stall", when: script, times: Number.POSITIVE_INFINITY });
    const sending = ledger.send(store, "chat", { repeat: "no-commit-id" });
    await stall.struck;
    await expect
      .poll(() => ledger.errors.get("OUTCOME_UNKNOWN") ?? 0, { timeout: 20_000 })
      .toBeGreaterThan(0);
    proxy.calm();
    await sending;
    expect(await ledger.findings(store)).toContainEqual(expect.stringMatching(/is there \d+ times/));
  });

  test("the check can fail: a driver that sends again by itself has it twice", async () => {
    const client = new Redis(proxy.url).on("error", () => undefined);
    proxy.plan({ on: "reply", act: "cut", when: ({ command }) => command[0] === "rpush" });
    await client.rpush(`${prefix}:list`, "once");
    expect(await client.llen(`${prefix}:list`)).toBe(2);
    client.disconnect();
  });
});
