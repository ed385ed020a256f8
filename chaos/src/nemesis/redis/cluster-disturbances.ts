import type { ClusterServers, NodeProxies, RedisServer } from "redis-servers";
import type { Random } from "run-tools";
import type { StoreServer } from "../store-server.js";
import { connectionDisturbances } from "./connection-disturbances.js";

const KEYS_AT_ONCE = 20;

/** Disturbances of a Cluster. Each ends when the Cluster is whole again. */
export function clusterDisturbances(
  cluster: ClusterServers,
  proxies: NodeProxies,
): StoreServer["disturbances"] {
  return {
    "primary kills": async (random, wait) => {
      const primary = await aPrimary(cluster, random);
      await primary.kill();
      await wait(random.between(0, 800));
      await primary.restart();
      await cluster.settled();
    },
    "failovers after a kill": async (random) => {
      const primary = await aPrimary(cluster, random);
      const replica = await cluster.replicaOf(primary);
      await primary.kill();
      await cluster.tookOver(replica);
      await primary.restart();
      await cluster.settled();
    },
    "failovers on demand": async (random) => {
      await cluster.failover(await cluster.replicaOf(await aPrimary(cluster, random)));
      await cluster.settled();
    },
    "moved slots": async (random, wait) => {
      const [from, to] = random.shuffled(await cluster.primaries());
      const key = await from?.call("RANDOMKEY");
      if (from === undefined || to === undefined || typeof key !== "string") return;
      const move = await cluster.beginMove(await cluster.slotOf(key), to);
      for (let moved = 1; moved > 0; ) {
        moved = await cluster.moveKeys(move, random.between(1, KEYS_AT_ONCE));
        await wait(random.between(0, 40));
      }
      await cluster.finishMove(move);
      await cluster.settled();
    },
    ...connectionDisturbances(cluster.nodes, proxies),
  };
}

async function aPrimary(cluster: ClusterServers, random: Random): Promise<RedisServer> {
  const primary = random.pick(await cluster.primaries());
  if (primary === undefined) throw new Error("a cluster has primaries");
  return primary;
}
