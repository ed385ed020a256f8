import {
  type ClusterServers,
  type RedisServer,
  type ReplicatedServers,
  startCluster,
  startReplicated,
  startServer,
} from "redis-servers";
import { afterAll } from "vitest";

/** One server for all tests of a file. */
export async function sharedServer(...options: Parameters<typeof startServer>): Promise<RedisServer> {
  const server = await startServer(...options);
  afterAll(() => server.stop());
  return server;
}

/** One Cluster for all tests of a file. */
export async function sharedCluster(): Promise<ClusterServers> {
  const cluster = await startCluster();
  afterAll(() => cluster.stop());
  return cluster;
}

/** One primary with a replica and Sentinels for all tests of a file. */
export async function sharedReplicated(): Promise<ReplicatedServers> {
  const servers = await startReplicated();
  afterAll(() => servers.stop());
  return servers;
}
