import { SessionError, type SessionStore } from "@sessions/protocol";
import { type RedisServer, startServer } from "redis-servers";
import { describe, expect, test } from "vitest";
import { DEFAULT_PARTITIONS } from "../src/engine/partitions.js";
import { FIELDS } from "../src/keys/fields.js";
import { Keys } from "../src/keys/keys.js";
import { openRedisStore } from "../src/open-redis-store.js";
import { codeOf, keptPartition, openedStore } from "./store.js";

const { session } = new Keys("sessions", DEFAULT_PARTITIONS).session("s");
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

/** How a server comes to have nothing, while stores are open. */
const losses: Readonly<Record<string, (server: RedisServer) => Promise<unknown>>> = {
  "restarted without its data": async (server) => {
    await server.kill();
    await server.restart();
  },
  "told to flush": (server) => server.call("FLUSHALL"),
};

/** Resolves when polls of the feed have run: nothing else tells a watcher of all sessions that one has expired. */
async function polled(store: SessionStore): Promise<void> {
  const id = "expires soon";
  const controller = new AbortController();
  const changes = store.watch({ signal: controller.signal })[Symbol.asyncIterator]();
  const first = changes.next();
  await store.createSession(id, { expiresAt: Date.now() + 100 });
  for (let change = await first; ; change = await changes.next())
    if (change.done === true || (change.value.sessionId === id && change.value.deleted === true)) break;
  controller.abort();
}

describe.each(Object.entries(losses))("a server that was %s", (_name, lose) => {
  test("is DATA_LOST to the next call of every instance, although watchers have looked before", async () => {
    await using server = await startServer();
    await using one = await openRedisStore({ url: server.url });
    await using other = await openRedisStore({ url: server.url });
    for (const store of [one, other]) await store.addMessage("s", user("kept?"));
    const controller = new AbortController();
    const watched = one
      .watch({ session: "s", signal: controller.signal })
      [Symbol.asyncIterator]()
      .next()
      .then(
        () => "a change",
        (error: unknown) => (SessionError.is(error) ? error.code : error),
      );
    await lose(server);
    await polled(one);
    expect(await watched).toBe("DATA_LOST");
    expect(await codeOf(one.getSession("s"))).toBe("DATA_LOST");
    expect(await one.getSession("s")).toBeUndefined();
    expect(await codeOf(other.addMessage("s", user("after")))).toBe("DATA_LOST");
    await other.addMessage("s", user("after"));
    expect((await one.getChatHistory("s")).map(({ content }) => content)).toEqual(["after"]);
  });

  test("makes those who wait for a turn fail with DATA_LOST, and none of them begins", async () => {
    await using server = await startServer();
    await using store = await openRedisStore({ url: server.url });
    await using holder = await openRedisStore({ url: server.url });
    await store.addMessage("s", user("kept?"));
    const held = await holder.beginTurn("s", { ttlMs: 60_000 });
    expect(held.status).toBe("begun");
    const waiting = [1, 2].map(() => codeOf(store.beginTurn("s", { waitMs: 30_000 })));
    await expect
      .poll(
        async () => JSON.stringify(await server.call("HGET", session, FIELDS.STATE)).split("ticket").length,
      )
      .toBe(3);
    await lose(server);
    expect(await Promise.all(waiting)).toEqual(["DATA_LOST", "DATA_LOST"]);
    expect(await codeOf(store.getSession("s"))).toBe("DATA_LOST");
    expect(await store.getSession("s")).toBeUndefined();
  });

  test("ends a turn that renews itself, and the loss is still there for its holder", async () => {
    await using server = await startServer();
    await using store = await openRedisStore({ url: server.url });
    const begun = await store.beginTurn("s", { ttlMs: 900, messages: user("question") });
    if (begun.status !== "begun") throw new Error("it did not begin");
    const { turn } = begun;
    await lose(server);
    if (!turn.signal.aborted)
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve, { once: true }));
    expect(await codeOf(store.addMessage("s", user("after")))).toBe("DATA_LOST");
  });
});

test("a watcher of all sessions goes on after a failover that lost commits, and hears of those that took their place", async () => {
  await using server = await startServer();
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  const seen: string[] = [];
  const controller = new AbortController();
  const ended = (async () => {
    for await (const { sessionId, revision } of store.watch({ signal: controller.signal }))
      seen.push(`${sessionId} ${revision}`);
  })();
  // The watcher may begin after some of them.
  await expect.poll(() => store.addMessage("s", user("kept")).then(() => seen.length)).toBeGreaterThan(1);
  const goBack = await keptPartition(opened, "s");
  const { revision } = await store.addMessage("s", user("lost"));
  await expect.poll(() => seen.at(-1)).toBe(`s ${revision}`);
  await goBack();
  // Another server, which gives out the same position once more.
  await client.hset(keys.partitionOf("s").head, FIELDS.REPLICA, "the server that was");
  expect(await codeOf(store.addMessage("s", user("x")))).toBe("DATA_LOST");
  const before = seen.length;
  await store.addMessage("s", user("in its place"));
  await store.addMessage("s", user("and another"));
  await expect.poll(() => seen.slice(before).at(-1)).toBe(`s ${revision + 1}`);
  controller.abort();
  await ended;
});
