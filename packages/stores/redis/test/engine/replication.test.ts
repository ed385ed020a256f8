import { systemClock } from "@sessions/protocol";
import type { RedisServer } from "redis-servers";
import { expect, test } from "vitest";
import { clientFactory } from "../../src/engine/connect.js";
import { Deadline } from "../../src/engine/deadline.js";
import { Replication } from "../../src/engine/replication.js";
import { Server } from "../../src/engine/server.js";
import { Unanswered, Unconfirmed } from "../../src/error-mapping.js";
import { sharedServer } from "../servers.js";

const [written, elsewhere] = [await sharedServer(), await sharedServer()];
const MARK = "test:{p0}:mark";

interface Opened extends AsyncDisposable {
  readonly server: Server;
  /** The error that it comes to. */
  readonly confirm: (deadlineMs?: number) => Promise<unknown>;
}

/** Commits go to one server. Replicas are asked for at the same or at another one; none, unless it is said, so that each can confirm. */
async function opened(asked: RedisServer, replicas = 0): Promise<Opened> {
  const open = ({ url }: RedisServer): Server => new Server(clientFactory({ url }, 5000), systemClock);
  const server = open(written);
  await server.query(new Deadline(systemClock, 5000), (client) => client.ping());
  const openServer = (): Server => open(asked);
  const replication = new Replication({
    server,
    openServer,
    markKey: () => MARK,
    replicas,
    clock: systemClock,
  });
  const { epoch } = server;
  return {
    server,
    confirm: (deadlineMs = 1000) =>
      replication.confirm(0, epoch, new Deadline(systemClock, deadlineMs)).catch((error: unknown) => error),
    async [Symbol.asyncDispose]() {
      replication.close();
      server.close();
    },
  };
}

const callsOf = async (command: string): Promise<number> =>
  Number(
    new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(
      String(await written.call("INFO", "commandstats")),
    )?.[1] ?? 0,
  );

test("the server that was written to confirms; those who ask while others wait are confirmed together", async () => {
  await using store = await opened(written);
  const before = await callsOf("wait");
  const answers = await Promise.all(Array.from({ length: 50 }, () => store.confirm()));
  expect(answers).toEqual(answers.map(() => undefined));
  expect((await callsOf("wait")) - before).toBe(2);
});

test("another server, which never had the commit, confirms nothing", async () => {
  await using store = await opened(elsewhere);
  expect(await store.confirm()).toBeInstanceOf(Unanswered);
});

test("a server that has only what came before confirms nothing", async () => {
  await using store = await opened(elsewhere);
  await elsewhere.call("SET", MARK, "1");
  expect(await store.confirm()).toBeUndefined();
  expect(await store.confirm()).toBeInstanceOf(Unanswered);
});

test("a mark that was written on another connection than the commit stands for nothing", async () => {
  await using store = await opened(written);
  store.server.epoch++;
  expect(await store.confirm()).toBeInstanceOf(Unanswered);
});

test("where there are too few replicas, it is told how many; each waits for its own deadline, and no longer", async () => {
  await using store = await opened(written, 1);
  const started = performance.now();
  const ended = async (deadlineMs: number): Promise<{ readonly error: unknown; readonly ms: number }> => ({
    error: await store.confirm(deadlineMs),
    ms: performance.now() - started,
  });
  // The first waits by itself, the others together, once it has ended.
  const [first, short, middle, long] = await Promise.all([600, 100, 900, 2600].map(ended));
  for (const outcome of [first, short, middle]) expect(outcome?.error).toBeInstanceOf(Unconfirmed);
  expect(long?.error).toEqual(new Unconfirmed("0 of 1 replicas have confirmed it in time"));
  expect(short?.ms).toBeLessThan(first?.ms ?? 0);
  expect(long?.ms).toBeGreaterThan((middle?.ms ?? 0) + 500);
});

test("a mark is gone soon after the call", async () => {
  await using store = await opened(written);
  await store.confirm();
  const left = Number(await written.call("PTTL", MARK));
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(2000);
});
