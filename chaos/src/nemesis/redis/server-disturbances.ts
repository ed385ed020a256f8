import type { NodeProxies, RedisServer } from "redis-servers";
import type { StoreServer } from "../store-server.js";
import { connectionDisturbances } from "./connection-disturbances.js";

/** Less than any server uses: every command that needs memory is refused. */
const NO_MEMORY = 1;

/** Disturbances of one redis-server and of the connections to it. */
export function serverDisturbances(server: RedisServer, proxies: NodeProxies): StoreServer["disturbances"] {
  return {
    "server kills": async (random, wait) => {
      await server.kill();
      await wait(random.between(0, 800));
      await server.restart();
    },
    "server pauses": async (random, wait) => {
      server.pause();
      await wait(random.between(200, 2000));
      server.resume();
    },
    ...connectionDisturbances([server], proxies),
    "filled memory": async (random, wait) => {
      await server.call("CONFIG", "SET", "maxmemory", NO_MEMORY);
      await wait(random.between(100, 900));
      await server.call("CONFIG", "SET", "maxmemory", 0);
    },
  };
}
