import { type OptionNames, STORE_OPTIONS, type StoreOptions } from "@sessions/protocol/backend";
import type { Cluster, ClusterNode, ClusterOptions, Redis, RedisOptions } from "ioredis";
import type { RedisWarning } from "./upkeep/warnings.js";

/** A client of ioredis. */
export type RedisClient = Redis | Cluster;

/** Where the server is, or the servers. */
export type RedisLocation =
  | {
      /** `redis://` or `rediss://`, with user, password and database as needed. */
      readonly url: string;
      /** More for ioredis, such as `password` or `tls`. */
      readonly redis?: RedisOptions | undefined;
    }
  | {
      /** A client that you have. The store connects in the same way, by itself: yours is neither used nor closed. */
      readonly client: RedisClient;
    }
  | {
      /** The Sentinels that know the primary. */
      readonly sentinels: readonly { readonly host: string; readonly port: number }[];
      /** The name under which they know it. */
      readonly name: string;
      readonly redis?: RedisOptions | undefined;
    }
  | {
      /** Some nodes of a Cluster. */
      readonly cluster: readonly ClusterNode[];
      /** More for ioredis, such as `redisOptions: { tls }`. */
      readonly clusterOptions?: ClusterOptions | undefined;
    };

/** How a store behaves. */
export interface RedisStoreOptions extends StoreOptions {
  /**
   * What all keys begin with. Stores with different prefixes do not see each other.
   * @default "sessions"
   */
  readonly prefix?: string | undefined;
  /**
   * Over how many partitions the sessions are spread, 1 to 1024: at least 8 for each primary that there will ever be. It is fixed when the
   * store is created.
   * @default 64
   */
  readonly partitions?: number | undefined;
  /**
   * How long a call waits for the server, in milliseconds. Then it fails with STORE_UNAVAILABLE, STORE_BUSY or
   * OUTCOME_UNKNOWN.
   * @default 10000
   */
  readonly deadlineMs?: number | undefined;
  /**
   * By how many replicas a commit must be confirmed before it is acknowledged. Too few: OUTCOME_UNKNOWN.
   * @default 0
   */
  readonly replicas?: number | undefined;
  /**
   * How much of the messages is kept in memory, by the length of their JSON.
   * @default 16777216
   */
  readonly cacheBytes?: number | undefined;
  /**
   * Told what an operator should know: settings with which acknowledged commits can be lost, damaged sessions. Without it, such settings
   * are a warning of the process (on stderr) when the store is opened.
   */
  readonly onWarning?: ((warning: RedisWarning) => void) | undefined;
}

export const REDIS_STORE_OPTIONS: OptionNames<RedisStoreOptions> = {
  ...STORE_OPTIONS,
  prefix: "text",
  partitions: "count",
  deadlineMs: "count",
  replicas: "count",
  cacheBytes: "count",
  onWarning: "function",
};

export const REDIS_LOCATION: OptionNames<RedisLocation> = {
  url: "text",
  redis: "object",
  client: "object",
  sentinels: "object",
  name: "text",
  cluster: "object",
  clusterOptions: "object",
};
