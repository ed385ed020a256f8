import { type ClusterServers, type RedisServer, startCluster, startServer } from "redis-servers";
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
