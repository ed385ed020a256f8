import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { type RedisServer, startFaultProxy, startServer } from "redis-servers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Keys } from "../../src/keys/keys.js";
import { list } from "./stored-keys.js";

const WRITER = fileURLToPath(new URL("writer.mjs", import.meta.url));
const SESSIONS = ["appended", "fork", "made"];
const AT_ONCE = 2;
/** It starts dozens of processes, which on a loaded machine takes its time. */
const TEST_MS = 300_000;

let server: RedisServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Runs the writer until it has sent so many commands, and kills it before the next. Answers how many it has sent. */
async function runUntil(prefix: string, commands: number): Promise<number> {
  await using proxy = await startFaultProxy(server.port);
  let sent = 0;
  const count = (): boolean => {
    sent++;
    return true;
  };
  const stall = proxy.plan({
    on: "request",
    act: "stall",
    when: count,
    after: commands,
    times: Number.POSITIVE_INFINITY,
  });
  const child = spawn(process.execPath, [WRITER, proxy.url, prefix], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = once(child, "exit");
  const result = await Promise.race([stall.struck.then(() => "struck"), ended]);
  if (result === "struck") child.kill("SIGKILL");
  const [code] = await ended;
  if (result !== "struck") expect(code).toBe(0);
  return Math.min(sent, commands);
}

async function idsOf(pages: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of pages) ids.push(id);
  return ids.sort();
}

/** What is wrong after the writer has died, in words. */
async function harm(store: SessionStore, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  const alive: string[] = [];
  for (const id of SESSIONS) if (await store.sessionExists(id)) alive.push(id);
  const listed = await idsOf(store.listSessions({ order: "id-asc" }));
  if (String(listed) !== String(alive)) found.push(`there is ${alive}, and listed is ${listed}`);
  const made = await store.getSession("made", { messages: "none" });
  const labelled = await idsOf(store.listSessions({ labels: { agent: made?.labels["agent"] ?? "none" } }));
  if (made !== undefined && !labelled.includes("made")) found.push("made is not listed by its label");
  const forks = await store.getChildren("made").catch(() => []);
  if (forks.length !== (alive.includes("fork") ? 1 : 0)) found.push(`${forks.length} forks are listed`);
  if (![undefined, 0, 700].includes(made?.messageCount))
    found.push(`made has ${made?.messageCount} messages`);
  for (const id of alive) if (!(await store.verify(id)).ok) found.push(`${id} is damaged`);
  return [...found, ...(await orphans(prefix, alive))];
}

/** Keys of sessions that are not there, and that would stay for ever. */
async function orphans(prefix: string, alive: readonly string[]): Promise<readonly string[]> {
  const [, keys] = list(await server.call("SCAN", 0, "MATCH", `${prefix}:*`, "COUNT", 100_000));
  const found: string[] = [];
  for (const key of list(keys).map(String)) {
    const owner = /\{(.*?)\}:(.*)/.exec(key);
    if (owner === null || owner[1]?.startsWith("index-")) continue;
    const belongs = alive.includes(owner[1] ?? "") && !owner[2]?.startsWith("n:");
    if (!belongs && Number(await server.call("PTTL", key)) < 0) found.push(`${key} stays for ever`);
  }
  return found;
}

test(
  "a writer that is killed -9 between any two of its commands leaves everything whole and listed",
  async () => {
    const all = await runUntil("whole", Number.POSITIVE_INFINITY);
    expect(all).toBeGreaterThan(10);
    const steps = Array.from({ length: all }, (_, index) => index);
    const findings: string[] = [];
    const worker = async (): Promise<void> => {
      for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
        const prefix = `killed-${step}`;
        await runUntil(prefix, step);
        await using store = await openRedisStore({ url: server.url }, { prefix });
        for (const one of await harm(store, prefix)) findings.push(`after ${step} commands: ${one}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    console.log(`a writer was killed after each of ${all} commands`);
    expect(findings).toEqual([]);
  },
  TEST_MS,
);

test("the check can fail: what a writer leaves that tells the index last, or writes ahead without an end, is found", async () => {
  const prefix = "twin";
  await using store = await openRedisStore({ url: server.url }, { prefix });
  await store.createSession("made", { labels: { agent: "a" } });
  await store.forkSession("made", { newId: "fork" });
  expect(await harm(store, prefix)).toEqual([]);
  const { named, labelled, forked } = new Keys(prefix).shardOf("made");
  for (const key of [named, labelled("agent", "a")]) expect(await server.call("ZREM", key, "made")).toBe(1);
  await server.call("DEL", forked("made"), new Keys(prefix).shardOf("fork").forked("made"));
  await server.call("HSET", `${prefix}:{gone}:n:1`, "m0", "");
  expect(await harm(store, prefix)).toEqual([
    "there is fork,made, and listed is fork",
    "made is not listed by its label",
    "0 forks are listed",
    `${prefix}:{gone}:n:1 stays for ever`,
  ]);
});
