import { randomBytes } from "node:crypto";
import { SessionError, type SessionStore } from "@sessions/protocol";
import { Redis } from "ioredis";
import type { RedisServer } from "redis-servers";
import { Keys } from "../src/keys.js";
import { openRedisStore } from "../src/open-redis-store.js";
import type { RedisStoreOptions } from "../src/options.js";

/** A store with a prefix of its own, and a look behind it. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: SessionStore;
  readonly keys: Keys;
  readonly client: Redis;
  readonly options: RedisStoreOptions & { readonly prefix: string };
}

export async function openedStore(server: RedisServer, more: RedisStoreOptions = {}): Promise<OpenedStore> {
  const options = { ...more, prefix: `test-${randomBytes(6).toString("hex")}` };
  const store = await openRedisStore({ url: server.url }, options);
  const client = new Redis(server.url);
  return {
    store,
    keys: new Keys(options.prefix),
    client,
    options,
    async [Symbol.asyncDispose]() {
      await store.close();
      client.disconnect();
    },
  };
}

/** Everything that is stored of a session: every field of every key. */
export async function everythingOf({ client, keys }: OpenedStore, id: string): Promise<unknown> {
  const { session, window } = keys.session(id);
  const { h: _hold, ...fields } = await client.hgetall(session);
  return { fields, window: await client.hgetall(window), ttl: [await client.pexpiretime(session)] };
}

/** The code that a call fails with. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return SessionError.is(error) ? error.code : String(error);
}
