import { createStore, type SessionBackend, type SessionStore } from "@sessions/protocol";
import type { RedisLocation, RedisStoreOptions } from "./options.js";
import { RedisBackend } from "./redis-backend.js";
import { openRedisContext } from "./redis-context.js";

/**
 * Opens a store in Redis or Valkey. Any number of processes and machines may do so at once.
 *
 * @example
 * ```ts
 * await using store = await openRedisStore({ url: "redis://localhost:6379" });
 * await store.addMessage("user-42", { role: "user", content: "Where is my parcel?" });
 * ```
 */
export async function openRedisStore(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): Promise<SessionStore> {
  return createStore(await openRedisBackend(location, options), options);
}

/** The backend alone. */
export async function openRedisBackend(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): Promise<SessionBackend> {
  return new RedisBackend(await openRedisContext(location, options));
}
