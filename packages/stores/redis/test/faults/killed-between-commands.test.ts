import { randomBytes } from "node:crypto";
import type { SessionStore } from "@sessions/protocol";
import { type FaultProxy, startFaultProxy } from "redis-servers";
import { afterAll, describe, expect, test } from "vitest";
import { openRedisStore } from "../../src/open-redis-store.js";
import { isAwaited } from "../harness/awaited.js";
import { disagreements, outcomeOf, view } from "../harness/look.js";
import { OPERATIONS, type Operation, SESSION } from "../harness/operations.js";
import { sharedServer } from "../servers.js";
import { storedKeys } from "./stored-keys.js";

const server = await sharedServer();

/** Longer than a healthy server on a busy machine takes; what died waits for it in the background, and all at once. */
const DEADLINE_MS = 8000;

const leaving: Promise<void>[] = [];
afterAll(() => Promise.all(leaving), 4 * DEADLINE_MS);

interface Trial extends AsyncDisposable {
  readonly prefix: string;
  /** Of a process that lives on. */
  readonly store: SessionStore;
  /** Of a process that dies: it reaches the server only through the proxy. */
  readonly victim: SessionStore;
  readonly proxy: FaultProxy;
}

async function trial(operation: Operation): Promise<Trial> {
  const prefix = `killed-${randomBytes(6).toString("hex")}`;
  const proxy = await startFaultProxy(server.port);
  const store = await openRedisStore({ url: server.url }, { prefix });
  await operation.prepare?.(store);
  const victim = await openRedisStore({ url: proxy.url }, { prefix, deadlineMs: DEADLINE_MS });
  await victim.getSession(SESSION);
  return {
    prefix,
    store,
    victim,
    proxy,
    async [Symbol.asyncDispose]() {
      // A dead process waits for nothing: that it ends only when its deadline is over must not hold up the next trial.
      leaving.push(outcomeOf(victim.close()).then(() => proxy.stop()));
      await store.close();
    },
  };
}

/** How many commands an operation sends. */
async function commandsOf(operation: Operation): Promise<number> {
  await using undisturbed = await trial(operation);
  let sent = 0;
  undisturbed.proxy.plan({
    on: "request",
    act: { delayMs: 0 },
    when: (passing) => {
      if (isAwaited(passing)) sent++;
      return false;
    },
  });
  await operation.run(undisturbed.victim);
  return sent;
}

/** Runs the operation in a process that dies as soon as the server has executed so many of its commands. */
async function runAndDie(operation: Operation, { victim, proxy }: Trial, executed: number): Promise<string> {
  const death =
    executed === 0
      ? proxy.plan({ on: "request", act: "stall", when: isAwaited })
      : proxy.plan({ on: "reply", act: "stall", when: isAwaited, after: executed - 1 });
  const ended = outcomeOf(operation.run(victim));
  // For the server it is the same as a process that is killed: the connection breaks, and nothing more comes.
  const told = await Promise.race([death.struck.then(() => "nothing"), ended]);
  proxy.refuse();
  proxy.cutAll();
  return told;
}

/** Rows that were prepared and never used, and that would stay for ever. */
async function orphans(prefix: string): Promise<readonly string[]> {
  const staged = await server.call("KEYS", `${prefix}:*}:staged:*`);
  const found: string[] = [];
  for (const key of Array.isArray(staged) ? staged.map(String) : [])
    if (Number(await server.call("PTTL", key)) < 0) found.push(`${key} stays for ever`);
  return found;
}

describe.concurrent("a process that dies after any of its commands leaves a session and its index that agree", () => {
  test.each(OPERATIONS)("$name", async (operation) => {
    const [before, after] = await bothViews(operation);
    const commands = await commandsOf(operation);
    expect(commands).toBeGreaterThan(0);
    const findings: string[] = [];
    for (let executed = 0; executed <= commands; executed++) {
      await using one = await trial(operation);
      const told = await runAndDie(operation, one, executed);
      const where = `after ${executed} of ${commands} commands (the caller was told ${told})`;
      const wrong = [...(await disagreements(one.store)), ...(await orphans(one.prefix))];
      findings.push(...wrong.map((what) => `${where}: ${what}`));
      const found = await view(one.store);
      if (operation.commits !== "several" && found !== before && found !== after)
        findings.push(`${where}: neither before nor after, but ${found}`);
      if (told === "ok" && found === before && before !== after) findings.push(`${where}: lost`);
      const goesOn = await outcomeOf(one.store.addMessage("other", { role: "user", content: "on" }));
      if (goesOn !== "ok") findings.push(`${where}: another session is ${goesOn}`);
    }
    expect(findings).toEqual([]);
  });
});

async function bothViews(operation: Operation): Promise<readonly [before: string, after: string]> {
  await using whole = await trial(operation);
  const before = await view(whole.store);
  await operation.run(whole.victim);
  return [before, await view(whole.store)];
}

test("the check can fail: a session that one sorted set of the index does not have is found", async () => {
  const indexed = OPERATIONS.find(({ name }) => name === "a new session with labels and an end");
  if (indexed === undefined) throw new Error("there is such an operation");
  const prefix = "incomplete";
  await using store = await openRedisStore({ url: server.url }, { prefix });
  await indexed.run(store);
  expect(await disagreements(store)).toEqual([]);
  let spoilt = 0;
  for (const key of (await storedKeys(server, prefix)).keys()) {
    if ((await server.call("TYPE", key)) !== "zset") continue;
    const score = await server.call("ZSCORE", key, SESSION);
    if (score === null || /:(feed|ends)$/.test(key)) continue;
    await server.call("ZREM", key, SESSION);
    expect(await disagreements(store), key).not.toEqual([]);
    await server.call("ZADD", key, Number(score), SESSION);
    spoilt++;
  }
  expect(spoilt).toBeGreaterThanOrEqual(4);
});
