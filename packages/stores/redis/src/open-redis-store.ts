import {
  createStore,
  type SessionBackend,
  type SessionStore,
  storeOptionsOf,
} from "@sessions/protocol/backend";
import type { RedisLocation, RedisStoreOptions } from "./options.js";
import { RedisBackend } from "./redis-backend.js";
import { openRedisContext } from "./redis-context.js";

/**
 * Opens a store in Redis or Valkey. Any number of processes and machines may do so at once.
 *
 * @example
 * ```ts
 * const store = await openRedisStore({ url: "redis://localhost:6379" });
 * await store.addMessage("user-42", { role: "user", content: "Where is my parcel?" });
 * ```
 */
export async function openRedisStore(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): Promise<SessionStore> {
  const storeOptions = storeOptionsOf(options);
  const backend = await openRedisBackend(location, options);
  return createStore(backend, storeOptions);
}

/** The backend alone. */
export async function openRedisBackend(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): Promise<SessionBackend> {
  return new RedisBackend(await openRedisContext(location, options));
}
