import type { RedisLocation, RedisStoreOptions } from "@sessions/redis";
import {
  type NodeProxies,
  type ServerOptions,
  startCluster,
  startNodeProxies,
  startReplicated,
  startServer,
} from "redis-servers";
import { clusterDisturbances } from "../nemesis/redis/cluster-disturbances.js";
import { sentinelDisturbances } from "../nemesis/redis/sentinel-disturbances.js";
import { serverDisturbances } from "../nemesis/redis/server-disturbances.js";
import type { StoreServer } from "../nemesis/store-server.js";
import type { ServerLayout } from "./chaos-store.js";

/** Servers that stand, how a store finds them behind their proxies, and how they are disturbed. */
interface StandingServers extends StoreServer {
  readonly location: RedisLocation;
  readonly options: RedisStoreOptions;
}

/**
 * A primary that has lost its replicas takes no writes: what only it has would be gone after a failover, and others could
 * have read it.
 */
const WITH_REPLICAS = ["min-replicas-to-write 1", "min-replicas-max-lag 2"];

/** Starts the servers of a layout, each node behind a proxy of its own. */
export const START_SERVERS: Readonly<
  Record<ServerLayout, (options: ServerOptions) => Promise<StandingServers>>
> = {
  one: async (options) => {
    const server = await startServer(options);
    const proxies = await startNodeProxies([server]);
    return {
      location: { url: proxies.before(server).url },
      options: {},
      disturbances: serverDisturbances(server, proxies),
      stop: stopOf(proxies, server),
    };
  },
  sentinel: async (options) => {
    const servers = await startReplicated({ ...options, config: WITH_REPLICAS, failoverTimeoutMs: 1500 });
    const proxies = await startNodeProxies(servers.nodes);
    const sentinels = servers.sentinels.map(({ port }) => ({ host: "127.0.0.1", port }));
    return {
      location: { sentinels, name: servers.name, redis: { natMap: proxies.natMap } },
      options: { replicas: 1 },
      disturbances: sentinelDisturbances(servers, proxies),
      stop: stopOf(proxies, servers),
    };
  },
  cluster: async (options) => {
    const cluster = await startCluster({ ...options, config: WITH_REPLICAS });
    const proxies = await startNodeProxies(cluster.nodes);
    const nodes = proxies.ports.map((port) => ({ host: "127.0.0.1", port }));
    return {
      location: { cluster: nodes, clusterOptions: { natMap: proxies.natMap } },
      options: { replicas: 1 },
      disturbances: clusterDisturbances(cluster, proxies),
      stop: stopOf(proxies, cluster),
    };
  },
};

function stopOf(proxies: NodeProxies, servers: { stop(): Promise<void> }): () => Promise<void> {
  return async () => {
    await proxies.stop();
    await servers.stop();
  };
}
