import type { NodeProxies, ReplicatedServers } from "redis-servers";
import type { StoreServer } from "../store-server.js";
import { connectionDisturbances } from "./connection-disturbances.js";

/** Sentinels miss a primary only after 1500 ms. */
const SHORT_MS = 700;

/**
 * Disturbances of a primary with a replica and Sentinels. Each ends when all nodes follow one primary again. The primary
 * never stands still for longer than Sentinels wait: it would wake up as a second primary, and answer reads until it is told.
 */
export function sentinelDisturbances(
  servers: ReplicatedServers,
  proxies: NodeProxies,
): StoreServer["disturbances"] {
  return {
    "primary kills": async (random, wait) => {
      const primary = await servers.currentPrimary();
      await primary.kill();
      await wait(random.between(0, SHORT_MS));
      await primary.restart();
      await servers.settled();
    },
    "failovers after a kill": async () => {
      const primary = await servers.currentPrimary();
      await primary.kill();
      await servers.promotedInsteadOf(primary);
      await primary.restart();
      await servers.demote(primary);
      await servers.settled();
    },
    "failovers on demand": async () => {
      await servers.failover();
      await servers.settled();
    },
    "primary pauses": async (random, wait) => {
      const primary = await servers.currentPrimary();
      primary.pause();
      await wait(random.between(100, SHORT_MS));
      primary.resume();
    },
    "replica kills": async (random, wait) => {
      const primary = await servers.currentPrimary();
      const replica = servers.nodes.find((node) => node !== primary);
      await replica?.kill();
      await wait(random.between(0, 800));
      await replica?.restart();
      await servers.settled();
    },
    "Sentinel kills": async (random, wait) => {
      const sentinel = random.pick(servers.sentinels);
      await sentinel?.kill();
      await wait(random.between(0, 800));
      await sentinel?.restart();
    },
    ...connectionDisturbances(servers.nodes, proxies),
  };
}
