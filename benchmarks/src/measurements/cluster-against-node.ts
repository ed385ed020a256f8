import type { SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { startCluster } from "redis-servers";
import { alternating, type Cost } from "../alternating.js";
import { message } from "../chat.js";
import type { Measurement } from "../measurement.js";
import { serverUrl } from "../stores/redis-server.js";

const SESSIONS = 64;
const EACH = 50;

/** What one process gets done on 64 sessions of a local Cluster of three primaries, ÷ on one node. Only told: they share the cores. */
export const clusterAgainstNode: Measurement = {
  work: "redis: addMessage by 64 callers on 64 sessions of a Cluster of 3 primaries on this machine, throughput ÷ one node",
  unit: "×",
  bar: undefined,
  async measure({ runs, folder }) {
    await using cluster = await startCluster({ aof: "everysec", parent: folder });
    const nodes = cluster.ports.map((port) => ({ host: "127.0.0.1", port }));
    await using many = await openRedisStore({ cluster: nodes });
    await using one = await openRedisStore({ url: serverUrl() });
    const [onMany, onOne]: [number[], number[]] = [[], []];
    const values = await alternating(runs, cost(one, onOne), cost(many, onMany));
    const note = `one node: ${perSecond(onOne)} messages/s; the Cluster: ${perSecond(onMany)} messages/s`;
    return { values, note };
  },
};

/** What one message took, all callers counted. */
function cost(store: SessionStore, costs: number[]): Cost {
  return async () => {
    const start = performance.now();
    await Promise.all(Array.from({ length: SESSIONS }, (_, caller) => call(store, `s${caller}`)));
    const each = (performance.now() - start) / (SESSIONS * EACH);
    costs.push(each);
    return each;
  };
}

async function call(store: SessionStore, id: string): Promise<void> {
  for (let index = 0; index < EACH; index++) await store.addMessage(id, message(index));
}

function perSecond(costs: readonly number[]): string {
  const median = costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? Number.NaN;
  return Math.round(1000 / median)
    .toLocaleString("en")
    .replaceAll(",", " ");
}
