import { eventually } from "../eventually.js";
import { info } from "../info.js";
import type { RedisServer } from "../redis-server.js";
import type { Reply } from "../resp/reply.js";
import { stopTogether } from "./start-together.js";

const KEYS_AT_ONCE = 100;
const MIGRATE_MS = 10_000;
/** Longer than a manual failover is pursued. */
const HANDOVER_MS = 6_000;

/** A slot on its way from one node to another: both answer for a part of its keys. */
export interface MovingSlot {
  readonly slot: number;
  readonly from: RedisServer;
  readonly to: RedisServer;
}

/** Three primaries with a replica each. */
export class ClusterServers implements AsyncDisposable {
  /** The nodes, as they began: the first three were primaries, each followed by the node three places after it. */
  readonly nodes: readonly RedisServer[];

  constructor(nodes: readonly RedisServer[]) {
    this.nodes = nodes;
  }

  get ports(): readonly number[] {
    return this.nodes.map(({ port }) => port);
  }

  async slotOf(key: string): Promise<number> {
    return Number(await this.#anyNode().call("CLUSTER", "KEYSLOT", key));
  }

  /** The primary of a slot at this moment, as a node that is alive sees it. */
  async ownerOf(slot: number, asked: RedisServer = this.#anyNode()): Promise<RedisServer> {
    const ranges = list(await asked.call("CLUSTER", "SLOTS"));
    const range = ranges.map(list).find(([from, to]) => Number(from) <= slot && slot <= Number(to));
    const port = Number(list(range?.[2])[1]);
    return this.nodeAt(port);
  }

  nodeAt(port: number): RedisServer {
    const node = this.nodes.find((candidate) => candidate.port === port);
    if (node === undefined) throw new Error(`no node of this cluster has port ${port}`);
    return node;
  }

  /** Begins to move a slot: from here on new keys go to `to`, and the present ones are still at their place. */
  async beginMove(slot: number, to: RedisServer): Promise<MovingSlot> {
    const from = await this.ownerOf(slot);
    await to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", await nodeId(from));
    await from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", await nodeId(to));
    return { slot, from, to };
  }

  /** Moves at most `most` keys of a slot, and answers how many. */
  async moveKeys({ slot, from, to }: MovingSlot, most: number): Promise<number> {
    const keys = list(await from.call("CLUSTER", "GETKEYSINSLOT", slot, most)).map(String);
    if (keys.length > 0) await from.call("MIGRATE", "127.0.0.1", to.port, "", 0, MIGRATE_MS, "KEYS", ...keys);
    return keys.length;
  }

  /** Moves what is left of a slot, and tells all primaries where it is now. */
  async finishMove(move: MovingSlot): Promise<void> {
    const { slot, from, to } = move;
    for (let left = 1; left > 0; ) left = await this.moveKeys(move, KEYS_AT_ONCE);
    const id = await nodeId(to);
    // The new owner first: until it says so itself, the old one would send clients there in vain.
    for (const node of [to, from]) await node.call("CLUSTER", "SETSLOT", slot, "NODE", id);
  }

  /** The primaries at this moment, as `asked` sees them, in the order of their slots. */
  async primaries(asked: RedisServer = this.#anyNode()): Promise<readonly RedisServer[]> {
    const ranges = list(await asked.call("CLUSTER", "SLOTS")).map(list);
    const byPlace = ranges.toSorted((a, b) => Number(a[0]) - Number(b[0]));
    return [...new Set(byPlace.map((range) => this.nodeAt(Number(list(range[2])[1]))))];
  }

  /** Has a replica take over from its primary, which is alive and hands over what it has. */
  async failover(replica: RedisServer): Promise<void> {
    let asked = Number.NEGATIVE_INFINITY;
    await eventually("the replica took over", async () => {
      // The nodes give up by themselves what takes too long.
      if (performance.now() - asked > HANDOVER_MS) {
        asked = performance.now();
        await replica.call("CLUSTER", "FAILOVER");
      }
      const role = (await info(replica, "INFO", "replication")).get("role");
      return { holds: role === "master", seen: role };
    });
  }

  /** The replica that follows a primary at this moment. */
  async replicaOf(primary: RedisServer): Promise<RedisServer> {
    const first = (await info(primary, "INFO", "replication")).get("slave0");
    return this.nodeAt(Number(/port=(\d+)/.exec(first ?? "")?.[1]));
  }

  /** Waits until a replica has taken over. */
  async tookOver(replica: RedisServer): Promise<void> {
    await eventually("the replica took over", async () => {
      const role = (await info(replica, "INFO", "replication")).get("role");
      return { holds: role === "master", seen: role };
    });
  }

  /** Waits until all nodes are alive and each says that all slots are served, three by a primary with a replica. */
  async settled(): Promise<void> {
    await eventually("the cluster was whole", async () => {
      const states = await Promise.all(this.nodes.map(seenBy));
      return { holds: states.every((state) => state === "whole"), seen: states.join(", ") };
    });
  }

  async stop(): Promise<void> {
    await stopTogether(this.nodes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #anyNode(): RedisServer {
    const [node] = this.nodes;
    if (node === undefined) throw new Error("a cluster has nodes");
    return node;
  }
}

/** The name that a node has in its cluster. */
export async function nodeId(node: RedisServer): Promise<string> {
  return String(await node.call("CLUSTER", "MYID"));
}

/** "whole", or what is missing in the eyes of one node. */
async function seenBy(node: RedisServer): Promise<string> {
  const state = (await info(node, "CLUSTER", "INFO")).get("cluster_state");
  if (state !== "ok") return `${node.port}: cluster_state is ${state}`;
  const lines = String(await node.call("CLUSTER", "NODES"));
  if (/fail|handshake|noaddr/.test(lines)) return lines;
  const replication = await info(node, "INFO", "replication");
  if (replication.get("role") === "master")
    return replication.get("connected_slaves") === "1" ? "whole" : `${node.port}: no replica`;
  return replication.get("master_link_status") === "up" ? "whole" : `${node.port}: does not follow`;
}

function list(reply: Reply | undefined): readonly Reply[] {
  return Array.isArray(reply) ? reply : [];
}
