import { randomBytes } from "node:crypto";
import type { Place } from "@sessions/conformance";
import type { ClusterServers, RedisServer } from "redis-servers";
import { clientFor } from "../src/connect.js";
import { Keys } from "../src/keys.js";
import { openRedisBackend, openRedisStore } from "../src/open-redis-store.js";
import type { RedisLocation } from "../src/options.js";

/** Long enough for a loaded machine, short enough to wait for when the servers stand still. */
const DEADLINE_MS = 12_000;

/** A place on servers that are shared with others: a prefix of its own. */
async function placeAt(location: RedisLocation, nodes: readonly RedisServer[]): Promise<Place> {
  const options = { prefix: `test-${randomBytes(6).toString("hex")}`, deadlineMs: DEADLINE_MS };
  const keys = new Keys(options.prefix);
  const client = clientFor(location, 10_000);
  await client.connect();
  return {
    open: () => openRedisStore(location, options),
    openBackend: () => openRedisBackend(location, options),
    corrupt: async (id) => void (await client.hset(keys.session(id).session, "z", "spoilt")),
    newerFormat: async () => {
      for (const { format } of keys.shards()) await client.set(format, 99);
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
    cleanup: async () => client.disconnect(),
  };
}

/** A place on one server. */
export function serverPlace(server: RedisServer): Promise<Place> {
  return placeAt({ url: server.url }, [server]);
}

/** A place in a Cluster. */
export function clusterPlace(cluster: ClusterServers): Promise<Place> {
  return placeAt({ cluster: cluster.ports.map((port) => ({ host: "127.0.0.1", port })) }, cluster.nodes);
}
