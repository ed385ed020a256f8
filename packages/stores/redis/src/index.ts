export * from "@sessions/protocol";
export type { RedisWarning } from "./notes.js";
export { openRedisBackend, openRedisStore } from "./open-redis-store.js";
export type { RedisClient, RedisLocation, RedisStoreOptions } from "./options.js";
export { type RebuiltIndex, rebuildIndex } from "./rebuild-index.js";
export { sessionIds } from "./scan-sessions.js";
