import { randomBytes } from "node:crypto";
import type { Place } from "@sessions/conformance";
import { Cluster, Redis } from "ioredis";
import type { ClusterServers, RedisServer, ReplicatedServers } from "redis-servers";
import { afterAll } from "vitest";
import { Keys } from "../src/keys/keys.js";
import { openRedisBackend, openRedisStore } from "../src/open-redis-store.js";
import type { RedisClient, RedisLocation, RedisStoreOptions } from "../src/options.js";
import { removeAll, removedPart } from "./stored-parts.js";

/** Several on each node. A case opens a store of its own, and a store is made with all of its partitions. */
const PARTITIONS = 6;

/** Long enough for a loaded machine, short enough to wait for when the servers stand still. */
const DEADLINE_MS = 8_000;

/**
 * Places on servers that are shared: each has a prefix of its own. `client` looks behind the stores. It waits while it
 * reconnects to a node, which the store's own clients do not.
 */
function placesAt(
  location: RedisLocation,
  nodes: readonly RedisServer[],
  client: RedisClient,
  more: RedisStoreOptions = {},
): () => Promise<Place> {
  afterAll(() => client.disconnect());
  return async () => placeAt(location, nodes, client, more);
}

function placeAt(
  location: RedisLocation,
  nodes: readonly RedisServer[],
  client: RedisClient,
  more: RedisStoreOptions,
): Place {
  const prefix = `test-${randomBytes(6).toString("hex")}`;
  const options = { ...more, prefix, partitions: PARTITIONS, deadlineMs: DEADLINE_MS };
  const keys = new Keys(prefix, PARTITIONS);
  return {
    open: () => openRedisStore(location, options),
    openBackend: () => openRedisBackend(location, options),
    corrupt: async (id) => void (await client.hset(keys.session(id).session, "state", "spoilt")),
    removePart: (id, number) => removedPart(client, keys, id, number),
    plantForeign: async () => {
      await client.set(`${prefix}:notes`, "not the store's");
      await client.rpush(`${prefix}:{good}:list`, "not the store's");
      await client.set(`${keys.partition(0).tag}:notes`, "not the store's");
    },
    loseEverything: () => removeAll(client, prefix),
    newerFormat: async () => {
      await client.hset(keys.format, "format", 99);
      for (const { head } of keys.partitions) await client.hset(head, "format", 99);
    },
    interrupt: async () => {
      for (const node of nodes) node.pause();
      return async () => {
        for (const node of nodes) node.resume();
      };
    },
    otherProcess: {
      module: new URL("./open-in-worker.mjs", import.meta.url).href,
      argument: JSON.stringify({ location, options }),
    },
    // The server is the test file's own, and ends with it.
    cleanup: async () => undefined,
  };
}

/** Places on one server. */
export function serverPlaces(server: RedisServer): () => Promise<Place> {
  return placesAt({ url: server.url }, [server], new Redis(server.url));
}

/** Places in a Cluster. */
export function clusterPlaces(cluster: ClusterServers): () => Promise<Place> {
  const nodes = cluster.ports.map((port) => ({ host: "127.0.0.1", port }));
  return placesAt({ cluster: nodes }, cluster.nodes, new Cluster(nodes));
}

/** Places on a primary that Sentinels know, whose replica confirms every commit. */
export function sentinelPlaces(servers: ReplicatedServers): () => Promise<Place> {
  const sentinels = servers.sentinels.map(({ port }) => ({ host: "127.0.0.1", port }));
  const { name, nodes } = servers;
  const client = new Redis({ sentinels, name });
  // Who interrupts must stop the Sentinels too: they would promote a replica that wakes up first.
  return placesAt({ sentinels, name }, [...nodes, ...servers.sentinels], client, { replicas: 1 });
}
