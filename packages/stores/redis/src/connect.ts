import { SessionError } from "@sessions/protocol";
import { Cluster, type ClusterNode, type ClusterOptions, Redis, type RedisOptions } from "ioredis";
import type { RedisLocation } from "./options.js";

/** The longest time between two attempts to connect, in milliseconds. */
const LONGEST_WAIT = 500;

/** How often a Cluster is asked which node has which slots. */
const SLOTS_REFRESH_MS = 5000;

const waitBefore = (times: number): number => Math.min(20 * times, LONGEST_WAIT);

type OwnOptions = Omit<RedisOptions, "replyMapping" | "himportFieldsets" | "enableOfflineQueue">;

/** Nothing is sent again behind our back, and nothing waits in a queue: the store has deadlines and retries of its own. */
const OWN_RETRIES: OwnOptions = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The same shapes of replies from every server.
  protocol: 2,
  // Keys are named by the store's own prefix, also inside scripts.
  keyPrefix: "",
  // A primary that became a replica: look for the new one.
  reconnectOnError: (error: Error): boolean => error.message.includes("READONLY"),
};

const SINGLE: Omit<RedisOptions, "replyMapping"> = {
  ...OWN_RETRIES,
  enableOfflineQueue: false,
  lazyConnect: true,
  retryStrategy: waitBefore,
  // The feed does so itself: ioredis forgets about it, with a rejection that nobody handles, if the new connection is lost at once.
  autoResubscribe: false,
};

function newCluster(
  nodes: readonly ClusterNode[],
  socketTimeout: number,
  given: ClusterOptions = {},
): Cluster {
  const { redisOptions: { replyMapping: _, ...redisOptions } = {}, ...options } = given;
  return new Cluster([...nodes], {
    ...options,
    redisOptions: { ...redisOptions, ...OWN_RETRIES, socketTimeout },
    enableOfflineQueue: false,
    lazyConnect: true,
    scaleReads: "master",
    clusterRetryStrategy: waitBefore,
    retryDelayOnFailover: 0,
    slotsRefreshInterval: given.slotsRefreshInterval ?? SLOTS_REFRESH_MS,
  });
}

/**
 * A client of our own for a place. It is not connected yet. In a Cluster, a connection on which an answer is due and nothing has
 * come for `silenceMs` is left for a new one. On others the store watches for that itself: ioredis' timer costs something
 * with every command.
 */
export function clientFor(location: RedisLocation, silenceMs: number): Redis | Cluster {
  if ("client" in location) return likeThat(location.client, silenceMs);
  if ("cluster" in location) return newCluster(location.cluster, silenceMs, location.clusterOptions);
  if ("sentinels" in location) {
    const { sentinels, name, redis: { replyMapping: _, ...redis } = {} } = location;
    return new Redis({ ...redis, ...SINGLE, sentinels: [...sentinels], name, role: "master" });
  }
  if (typeof location.url !== "string") throw nowhere();
  const { url, redis: { replyMapping: _, ...redis } = {} } = location;
  if (/^\w+:\/\//.test(url) && !/^rediss?:/.test(url)) throw unusableUrl();
  try {
    return new Redis(url, { ...redis, ...SINGLE });
  } catch (error) {
    // Without the cause: it holds the URL, and with it the password.
    throw error instanceof TypeError || error instanceof URIError ? unusableUrl() : error;
  }
}

function unusableUrl(): SessionError {
  const message =
    "options.url cannot be read. It must look like redis://user:password@host:6379/0, with special characters percent-encoded.";
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options.url" });
}

function likeThat(client: Redis | Cluster, socketTimeout: number): Redis | Cluster {
  if (!(client instanceof Cluster)) return client.duplicate(SINGLE);
  const nodes = client.nodes("all").map(({ options: { host, port } }) => ({ host, port }));
  return newCluster(nodes, socketTimeout, client.options);
}

/** Where the data is, without secrets. */
export function locationOf(client: Redis | Cluster): string {
  if (client instanceof Cluster)
    return `redis cluster of ${client.nodes("all").map(addressOf).sort().join(", ")}`;
  const { name, sentinels, db = 0 } = client.options;
  if (sentinels != null) return `redis primary "${name ?? ""}", database ${db}`;
  return `redis at ${addressOf(client)}, database ${db}`;
}

function addressOf({ options: { host, port, path } }: Redis): string {
  return path ?? `${host}:${port}`;
}

function nowhere(): SessionError {
  const message = "options must have `url`, `client`, `sentinels` and `name`, or `cluster`.";
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options" });
}
