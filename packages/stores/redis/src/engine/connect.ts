import { SessionError } from "@sessions/protocol";
import { Cluster, type ClusterNode, type ClusterOptions, Redis, type RedisOptions } from "ioredis";
import type { RedisLocation } from "../options.js";
import type { ClientFactory } from "./server.js";

/** The longest time between two attempts to connect. */
const MAX_RECONNECT_MS = 500;

/**
 * After so many redirections ioredis hands the refusal over, and our own deadline decides. A reshard that goes on for longer than
 * its retries would fail calls otherwise.
 */
const MAX_REDIRECTIONS = 3;

type OwnOptions = Omit<RedisOptions, "replyMapping" | "himportFieldsets" | "enableOfflineQueue">;
type RetryStrategy = (times: number) => number | null;

/** Nothing is sent again by ioredis, and nothing waits in a queue: the store has deadlines and retries of its own. */
const OWN_RETRIES: OwnOptions = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The same shapes of replies from every server.
  protocol: 2,
  // Keys are named by the store's own prefix, also inside scripts.
  keyPrefix: "",
  // No call is sent before the server has accepted user and database.
  enableReadyCheck: true,
  // A primary that became a replica: look for the new one.
  reconnectOnError: (error: Error): boolean => error.message.includes("READONLY"),
  // The feed does so itself: ioredis forgets about it, with a rejection that nobody handles, if the new connection is lost at once.
  autoResubscribe: false,
};

/**
 * Makes clients for a location. In a Cluster, a connection on which a reply is due and nothing has come for `silenceMs` is replaced.
 * On others the store watches for that itself: ioredis' timer costs something with every command.
 */
export function clientFactory(location: RedisLocation, silenceMs: number): ClientFactory {
  return (isNeeded) =>
    createClient(location, silenceMs, (times) =>
      isNeeded() ? Math.min(20 * times, MAX_RECONNECT_MS) : null,
    );
}

function createClient(location: RedisLocation, silenceMs: number, retry: RetryStrategy): Redis | Cluster {
  const single = {
    ...OWN_RETRIES,
    enableOfflineQueue: false,
    lazyConnect: true,
    retryStrategy: retry,
    sentinelRetryStrategy: retry,
  };
  if ("client" in location) return clientLike(location.client, silenceMs, retry, single);
  if ("cluster" in location) return newCluster(location.cluster, silenceMs, retry, location.clusterOptions);
  if ("sentinels" in location) {
    const { sentinels, name, redis: { replyMapping: _, ...redis } = {} } = location;
    return new Redis({ ...redis, ...single, sentinels: [...sentinels], name, role: "master" });
  }
  if (typeof location.url !== "string") throw noLocation();
  const { url, redis: { replyMapping: _, ...redis } = {} } = location;
  if (/^\w+:\/\//.test(url) && !/^rediss?:/.test(url)) throw unusableUrl();
  try {
    // ioredis reads "/x" and "/2/x" as the databases 0 and 2.
    if (/^rediss?:/.test(url) && !/^\/?\d*$/.test(new URL(url).pathname)) throw unusableUrl();
    return new Redis(url, { ...redis, ...single });
  } catch (error) {
    // Without the cause: it holds the URL, and with it the password.
    throw error instanceof TypeError || error instanceof URIError ? unusableUrl() : error;
  }
}

function newCluster(
  nodes: readonly ClusterNode[],
  socketTimeout: number,
  retry: RetryStrategy,
  given: ClusterOptions = {},
): Cluster {
  const { redisOptions: { replyMapping: _, ...redisOptions } = {}, ...options } = given;
  return new Cluster([...nodes], {
    ...options,
    redisOptions: { ...redisOptions, ...OWN_RETRIES, socketTimeout },
    enableOfflineQueue: false,
    lazyConnect: true,
    scaleReads: "master",
    clusterRetryStrategy: retry,
    maxRedirections: MAX_REDIRECTIONS,
    retryDelayOnFailover: 0,
    retryDelayOnTryAgain: 1,
    retryDelayOnClusterDown: 1,
    // Slots are read again when a call is redirected or fails. A timer would keep the process alive.
    slotsRefreshInterval: 0,
  });
}

function clientLike(
  client: Redis | Cluster,
  silenceMs: number,
  retry: RetryStrategy,
  single: Omit<RedisOptions, "replyMapping">,
): Redis | Cluster {
  if (!(client instanceof Cluster)) return client.duplicate(single);
  const nodes = client.nodes("all").map(({ options: { host, port } }) => ({ host, port }));
  return newCluster(nodes, silenceMs, retry, client.options);
}

/** Where the data is, without secrets. */
export function locationOf(client: Redis | Cluster): string {
  if (client instanceof Cluster) {
    const nodes = client.nodes("all").map(addressOf).sort().join(", ");
    return nodes === "" ? "redis cluster" : `redis cluster of ${nodes}`; // none of them may have answered yet
  }
  const { name, sentinels, db = 0 } = client.options;
  if (sentinels != null) return `redis primary "${name ?? ""}", database ${db}`;
  return `redis at ${addressOf(client)}, database ${db}`;
}

function addressOf({ options: { host, port, path } }: Redis): string {
  return path ?? `${host}:${port}`;
}

function noLocation(): SessionError {
  const message = "options must have `url`, `client`, `sentinels` and `name`, or `cluster`.";
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options" });
}

function unusableUrl(): SessionError {
  const message =
    "options.url cannot be read. It must look like redis://user:password@host:6379/0, with special characters percent-encoded.";
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options.url" });
}
