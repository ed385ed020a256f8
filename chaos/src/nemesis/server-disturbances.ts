import type { Act, FaultProxy, RedisServer } from "redis-servers";
import type { StoreServer } from "./store-server.js";

/** Less than any server uses, so that the server refuses every command that needs memory. */
const NO_MEMORY_BYTES = 1;

/** Disturbances of a redis-server and of the connections to it. */
export function serverDisturbances(server: RedisServer, proxy: FaultProxy): StoreServer["disturbances"] {
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
    "lost replies": async (random, wait) => {
      const acts: readonly Act[] = ["cut", "tear", "stall", { delayMs: random.between(1, 300) }];
      for (let times = random.between(1, 6); times > 0; times--) {
        const act = random.pick(acts) ?? "cut";
        const fault = proxy.plan({ on: "reply", act, when: isChange, after: random.between(0, 5) });
        await wait(random.between(50, 300));
        if (act === "stall") await wait(1500);
        fault.lift();
      }
      proxy.calm();
    },
    "lost requests": async (random, wait) => {
      const act = random.pick<Act>(["cut", "tear"]) ?? "cut";
      proxy.plan({ on: "request", act, when: isChange, times: random.between(1, 5) });
      await wait(random.between(50, 300));
      proxy.calm();
    },
    "cut connections": async () => proxy.cutAll(),
    "killed clients": async () => {
      await server.call("CLIENT", "KILL", "TYPE", "normal");
    },
    "flushed scripts": async () => {
      await server.call("SCRIPT", "FLUSH");
    },
    "filled memory": async (random, wait) => {
      await server.call("CONFIG", "SET", "maxmemory", NO_MEMORY_BYTES);
      await wait(random.between(100, 900));
      await server.call("CONFIG", "SET", "maxmemory", 0);
    },
  };
}

/** Excludes the first commands of a new connection. Otherwise a short fault would hit only those. */
function isChange({ command: [word = ""] }: { readonly command: readonly string[] }): boolean {
  return /^(eval|fcall|multi|exec)/i.test(word);
}
