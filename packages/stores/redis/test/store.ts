import { randomBytes } from "node:crypto";
import { SessionError, type SessionStore } from "@sessions/protocol";
import { Redis } from "ioredis";
import type { RedisServer } from "redis-servers";
import { DEFAULT_PARTITIONS } from "../src/engine/partitions.js";
import { FIELDS } from "../src/keys/fields.js";
import { Keys } from "../src/keys/keys.js";
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
    keys: new Keys(options.prefix, options.partitions ?? DEFAULT_PARTITIONS),
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
  const { record, session } = keys.session(id);
  const { [FIELDS.HOLD]: _hold, ...fields } = await client.hgetall(record);
  return { fields, content: await client.hgetall(session), ttl: [await client.pexpiretime(session)] };
}

/**
 * Keeps all keys of a session's partition as they are now, and gives a function that puts them back: what a failover to a replica that was
 * behind looks like.
 */
export async function keptPartition({ client, keys }: OpenedStore, id: string): Promise<() => Promise<void>> {
  const pattern = `${keys.partitionOf(id).tag}:*`;
  const kept = await client.keys(pattern);
  const dumps = await Promise.all(kept.map((key) => client.dumpBuffer(key)));
  return async () => {
    await client.del(...(await client.keys(pattern)));
    await Promise.all(kept.map((key, n) => client.restore(key, 0, dumps[n] ?? "")));
  };
}

/** The code that a call fails with. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return SessionError.is(error) ? error.code : String(error);
}
