import type { Act, NodeProxies, RedisServer } from "redis-servers";
import type { StoreServer } from "../store-server.js";

/** What connections to redis-servers meet, whatever the servers are to each other. */
export function connectionDisturbances(
  nodes: readonly RedisServer[],
  proxies: NodeProxies,
): StoreServer["disturbances"] {
  return {
    "lost replies": async (random, wait) => {
      const acts: readonly Act[] = ["cut", "tear", "stall", { delayMs: random.between(1, 300) }];
      for (let times = random.between(1, 6); times > 0; times--) {
        const act = random.pick(acts) ?? "cut";
        const faults = proxies.plan({ on: "reply", act, when: isScript, after: random.between(0, 5) });
        await wait(random.between(50, 300));
        if (act === "stall") await wait(1500);
        for (const fault of faults) fault.lift();
      }
      proxies.calm();
    },
    "lost requests": async (random, wait) => {
      const act = random.pick<Act>(["cut", "tear"]) ?? "cut";
      proxies.plan({ on: "request", act, when: isScript, times: random.between(1, 5) });
      await wait(random.between(50, 300));
      proxies.calm();
    },
    "cut connections": async () => proxies.cutAll(),
    "killed clients": async () => {
      for (const node of nodes) await node.call("CLIENT", "KILL", "TYPE", "normal");
    },
    "flushed scripts": async () => {
      for (const node of nodes) await node.call("SCRIPT", "FLUSH");
    },
  };
}

/** Excludes the first commands of a new connection: a short fault would meet nothing else. */
function isScript({ command: [word = ""] }: { readonly command: readonly string[] }): boolean {
  return /^(eval|fcall|multi|exec)/i.test(word);
}
