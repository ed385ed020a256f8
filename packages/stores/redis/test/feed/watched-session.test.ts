import { type Change, SessionError, type SessionStore } from "@sessions/protocol";
import { expect, test } from "vitest";
import { openRedisStore } from "../../src/open-redis-store.js";
import { sharedServer } from "../servers.js";
import { openedStore } from "../store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

interface Watching extends AsyncDisposable {
  readonly seen: Change[];
  /** The code that it failed with, if it did. */
  readonly ended: Promise<string | undefined>;
}

function watching(store: SessionStore, session: string): Watching {
  const seen: Change[] = [];
  const controller = new AbortController();
  const watch = async (): Promise<undefined> => {
    for await (const change of store.watch({ session, signal: controller.signal })) seen.push(change);
  };
  const ended = watch().catch((error: unknown) => (SessionError.is(error) ? error.code : String(error)));
  return {
    seen,
    ended,
    async [Symbol.asyncDispose]() {
      controller.abort();
      await ended;
    },
  };
}

test("the watcher of a session that the server has lost ends with DATA_LOST, though its store has never used the session", async () => {
  await using opened = await openedStore(server);
  const { store, client, options } = opened;
  for (const content of ["1", "2", "3"]) await store.addMessage("s", user(content));
  await using idle = await openRedisStore({ url: server.url }, options);
  await using watcher = watching(idle, "s");
  await expect
    .poll(() => store.addMessage("s", user("more")).then(() => watcher.seen.length))
    .toBeGreaterThan(0);
  await client.flushall();
  // Another process begins the session anew, perhaps before the watcher has looked.
  await using other = await openRedisStore({ url: server.url }, options);
  await other.addMessage("s", user("anew"));
  expect(await watcher.ended).toBe("DATA_LOST");
});

test("the watcher of a session that is deleted and begun anew when its tombstone is forgotten hears of both", async () => {
  await using opened = await openedStore(server, { partitions: 1 });
  const { store, client, keys } = opened;
  for (const content of ["1", "2", "3"]) await store.addMessage("s", user(content));
  await using idle = await openRedisStore({ url: server.url }, opened.options);
  await using watcher = watching(idle, "s");
  await expect
    .poll(() => store.addMessage("s", user("more")).then(() => watcher.seen.length))
    .toBeGreaterThan(0);
  await store.deleteSession("s");
  await expect.poll(() => watcher.seen.at(-1)).toMatchObject({ deleted: true });
  await client.del(keys.session("s").record); // its seven days are over
  await client.zadd(keys.partition(0).tombstones, 1, "s");
  await using other = await openRedisStore({ url: server.url }, opened.options);
  await other.addMessage("s", user("anew"));
  await expect.poll(() => watcher.seen.at(-1), { timeout: 5000 }).toMatchObject({ revision: 1 });
});
