export * from "@sessions/protocol";
export { openRedisBackend, openRedisStore } from "./open-redis-store.js";
export type { RedisClient, RedisLocation, RedisStoreOptions } from "./options.js";
export type { RedisWarning } from "./upkeep/warnings.js";
