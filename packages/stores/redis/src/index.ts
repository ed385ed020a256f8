export * from "@sessions/protocol";
export { openRedisBackend, openRedisStore } from "./open-redis-store.js";
export type { RedisLocation, RedisStoreOptions } from "./options.js";
export { type RebuiltIndex, rebuildIndex } from "./rebuild-index.js";
