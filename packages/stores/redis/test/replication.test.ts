import { systemClock } from "@sessions/protocol";
import { Redis } from "ioredis";
import type { RedisServer } from "redis-servers";
import { expect, test } from "vitest";
import { Deadline } from "../src/deadline.js";
import { Unanswered } from "../src/error-mapping.js";
import { Keys } from "../src/keys.js";
import { Replication } from "../src/replication.js";
import { Server } from "../src/server.js";
import { sharedServer } from "./servers.js";

const [written, elsewhere] = [await sharedServer(), await sharedServer()];

interface Opened extends AsyncDisposable {
  readonly server: Server;
  readonly replication: Replication;
  readonly confirm: () => Promise<unknown>;
}

/** Commits go to one server. Replicas are asked for at the same or at another one: of none, so that each of them can confirm. */
async function opened(asked: RedisServer): Promise<Opened> {
  const open = ({ url }: RedisServer): Server =>
    new Server(new Redis(url, { lazyConnect: true, enableOfflineQueue: false }), systemClock, false);
  const server = open(written);
  server.begin();
  const keys = new Keys("test");
  const replication = new Replication({
    server,
    openServer: () => open(asked),
    keys,
    replicas: 0,
    who: "me",
  });
  const { epoch } = server;
  return {
    server,
    replication,
    confirm: () =>
      replication.confirm("s", epoch, new Deadline(systemClock, 1000)).catch((error: unknown) => error),
    async [Symbol.asyncDispose]() {
      replication.close();
      server.client.disconnect();
    },
  };
}

test("the server that was written to confirms, however many ask at once", async () => {
  await using store = await opened(written);
  const answers = await Promise.all(Array.from({ length: 20 }, () => store.confirm()));
  expect(answers).toEqual(Array.from({ length: 20 }, () => undefined));
});

test("another server, which never had the commit, confirms nothing", async () => {
  await using store = await opened(elsewhere);
  expect(await store.confirm()).toBeInstanceOf(Unanswered);
});

test("a server that has only what came before confirms nothing", async () => {
  await using store = await opened(elsewhere);
  await elsewhere.call("SET", new Keys("test").mark("s", "me"), "1");
  expect(await store.confirm()).toBeUndefined();
  expect(await store.confirm()).toBeInstanceOf(Unanswered);
});

test("a mark that was written on another connection than the commit stands for nothing", async () => {
  await using store = await opened(written);
  store.server.epoch++;
  expect(await store.confirm()).toBeInstanceOf(Unanswered);
});

test("a mark is gone soon after the call", async () => {
  await using store = await opened(written);
  await store.confirm();
  const left = Number(await written.call("PTTL", new Keys("test").mark("s", "me")));
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(2000);
});
