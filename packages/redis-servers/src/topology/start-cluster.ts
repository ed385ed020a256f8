import { eventually } from "../eventually.js";
import { info } from "../info.js";
import type { RedisServer } from "../redis-server.js";
import type { ServerOptions } from "../server-options.js";
import { startServer } from "../start-server.js";
import { ClusterServers, nodeId } from "./cluster.js";
import { startTogether, stopTogether } from "./start-together.js";

const SLOTS = 16_384;
const PRIMARIES = 3;
/** After so long without an answer a node counts as dead. */
const NODE_TIMEOUT_MS = 2000;

/** Starts three primaries with a replica each, and waits until all of them agree on who has what. */
export async function startCluster(options: ServerOptions = {}): Promise<ClusterServers> {
  const config = [
    ...(options.config ?? []),
    "cluster-enabled yes",
    `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
    // A replica takes over however long it was cut off: tests wait for what it does, not for whether it may.
    "cluster-replica-validity-factor 0",
  ];
  const starts = Array.from({ length: 2 * PRIMARIES }, () => startServer({ ...options, config }));
  const nodes = await startTogether(starts);
  try {
    await join(nodes);
    return new ClusterServers(nodes);
  } catch (error) {
    await stopTogether(nodes);
    throw error;
  }
}

async function join(nodes: readonly RedisServer[]): Promise<void> {
  const primaries = nodes.slice(0, PRIMARIES);
  const [first] = primaries;
  if (first === undefined) throw new Error("a cluster has nodes");
  for (const [index, node] of primaries.entries()) {
    await node.call("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
    await node.call("CLUSTER", "ADDSLOTS", ...slotsOf(index));
  }
  for (const node of nodes) await first.call("CLUSTER", "MEET", "127.0.0.1", node.port);
  await all(nodes, "the nodes had met", "cluster_known_nodes", String(nodes.length));
  for (const [index, node] of nodes.slice(PRIMARIES).entries()) await follow(node, primaries[index]);
  await all(nodes, "the cluster was whole", "cluster_state", "ok");
  for (const node of nodes.slice(PRIMARIES))
    await says(node, "the replica followed", ["INFO", "replication"], "master_link_status", "up");
  for (const node of nodes) await knowsReplicas(node);
}

function slotsOf(index: number): number[] {
  const from = Math.ceil((index * SLOTS) / PRIMARIES);
  const to = Math.ceil(((index + 1) * SLOTS) / PRIMARIES);
  return Array.from({ length: to - from }, (_, offset) => from + offset);
}

async function follow(replica: RedisServer, primary: RedisServer | undefined): Promise<void> {
  if (primary === undefined) throw new Error("each replica has a primary");
  await replica.call("CLUSTER", "REPLICATE", await nodeId(primary));
}

async function all(nodes: readonly RedisServer[], what: string, field: string, value: string): Promise<void> {
  for (const node of nodes) await says(node, what, ["CLUSTER", "INFO"], field, value);
}

async function says(
  node: RedisServer,
  what: string,
  command: readonly string[],
  field: string,
  value: string,
): Promise<void> {
  await eventually(what, async () => {
    const seen = (await info(node, ...command)).get(field);
    return { holds: seen === value, seen: `${node.port} says ${field} is ${seen}` };
  });
}

/** Without this a primary that dies at once might not be followed by anybody. */
async function knowsReplicas(node: RedisServer): Promise<void> {
  await eventually("all knew the replicas", async () => {
    const lines = String(await node.call("CLUSTER", "NODES")).split("\n");
    const replicas = lines.filter((line) => / (myself,)?slave /.test(line)).length;
    return { holds: replicas === PRIMARIES, seen: lines.join("\n") };
  });
}
