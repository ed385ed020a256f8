import { eventually } from "../eventually.js";
import { info } from "../info.js";
import type { RedisServer } from "../redis-server.js";
import { RefusedCommand } from "../resp/reply.js";
import { stopTogether } from "./start-together.js";

/** The name under which the Sentinels know the primary. */
export const PRIMARY_NAME = "sessions";

/** Longer than a handover takes: an operator's pause that nobody lifts ends by itself. */
const HANDOVER_MS = 15_000;

/** A primary, its replicas, and three Sentinels that promote a replica when two of them miss the primary. */
export class ReplicatedServers implements AsyncDisposable {
  readonly name: string = PRIMARY_NAME;
  /** The one that began as the primary. */
  readonly primary: RedisServer;
  /** Those that began as replicas. */
  readonly replicas: readonly [RedisServer, ...RedisServer[]];
  readonly sentinels: readonly RedisServer[];

  constructor(
    primary: RedisServer,
    replicas: readonly [RedisServer, ...RedisServer[]],
    sentinels: readonly RedisServer[],
  ) {
    this.primary = primary;
    this.replicas = replicas;
    this.sentinels = sentinels;
  }

  /** The first that began as a replica. */
  get replica(): RedisServer {
    return this.replicas[0];
  }

  /** The primary and its replicas, whatever their roles are by now. */
  get nodes(): readonly RedisServer[] {
    return [this.primary, ...this.replicas];
  }

  /** The port of the primary, by what each Sentinel says at this moment. */
  async primaryPorts(): Promise<readonly number[]> {
    return Promise.all(
      this.sentinels.map(async (sentinel) => {
        const address = await sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", PRIMARY_NAME);
        return Array.isArray(address) ? Number(address[1]) : 0;
      }),
    );
  }

  /** The primary, once all Sentinels name the same node and that node agrees. */
  async currentPrimary(): Promise<RedisServer> {
    let found = this.primary;
    await eventually("the Sentinels agreed on a primary", async () => {
      const ports = await this.primaryPorts();
      found = this.nodes.find(({ port }) => port === ports[0]) ?? this.primary;
      const role = (await info(found, "INFO", "replication")).get("role");
      return {
        holds: role === "master" && ports.every((port) => port === found.port),
        seen: `Sentinels name ${ports.join(", ")}; ${found.port} is a ${role}`,
      };
    });
    return found;
  }

  /** Waits until the first replica is the primary, for itself and for all Sentinels. */
  async promoted(): Promise<void> {
    await this.#movedTo((port) => port === this.replica.port);
  }

  /** Waits until another node than `former` is the primary, for itself and for all Sentinels. */
  async promotedInsteadOf(former: RedisServer): Promise<RedisServer> {
    return this.#movedTo((port) => port !== former.port);
  }

  /**
   * Has a Sentinel promote a replica while the primary is alive. Returns the new primary, which the former one follows. As
   * an operator who hands over, it holds writes back until the replica has everything: otherwise readers of the former
   * primary could be shown a commit that nobody acknowledged and that is gone afterwards.
   */
  async failover(): Promise<RedisServer> {
    const former = await this.currentPrimary();
    await former.call("CLIENT", "PAUSE", HANDOVER_MS, "WRITE");
    await this.#caughtUp(former);
    await eventually("a Sentinel accepted the failover", async () => {
      const accepted = await this.#askForFailover();
      return { holds: accepted === true, seen: accepted };
    });
    const primary = await this.promotedInsteadOf(former);
    await this.demote(former);
    return primary;
  }

  /** Has a former primary follow the present one: at once what a Sentinel does after eight seconds. */
  async demote(former: RedisServer): Promise<void> {
    const primary = await this.currentPrimary();
    await former.call("REPLICAOF", "127.0.0.1", primary.port);
    await former.call("CONFIG", "REWRITE");
    await former.call("CLIENT", "UNPAUSE");
    for (const type of ["normal", "pubsub"]) await former.call("CLIENT", "KILL", "TYPE", type);
  }

  /** Waits until all nodes are alive and follow one primary. One that came back as a primary is demoted. */
  async settled(): Promise<RedisServer> {
    const primary = await this.currentPrimary();
    const followers = this.nodes.filter((node) => node !== primary);
    await eventually("all replicas followed the primary", async () => {
      const seen = await Promise.all(followers.map((node) => info(node, "INFO", "replication")));
      for (const [index, node] of followers.entries())
        if (seen[index]?.get("role") === "master") await this.demote(node);
      return {
        holds: seen.every(
          (lines) =>
            lines.get("master_port") === String(primary.port) && lines.get("master_link_status") === "up",
        ),
        seen: seen
          .map((lines) => `${lines.get("master_port")} ${lines.get("master_link_status")}`)
          .join(", "),
      };
    });
    return primary;
  }

  async stop(): Promise<void> {
    await stopTogether([...this.sentinels, ...this.replicas, this.primary]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #caughtUp(primary: RedisServer): Promise<void> {
    await eventually("the replicas had everything", async () => {
      const offsets = await Promise.all(this.nodes.map(offsetOf));
      const all = await offsetOf(primary);
      return { holds: offsets.every((offset) => offset === all), seen: `${offsets.join(", ")} of ${all}` };
    });
  }

  async #movedTo(expected: (port: number) => boolean): Promise<RedisServer> {
    let primary = this.primary;
    await eventually("another node was promoted", async () => {
      primary = await this.currentPrimary();
      return { holds: expected(primary.port), seen: `the primary is ${primary.port}` };
    });
    return primary;
  }

  /** `true`, or why a Sentinel refuses at this moment: a failover is under way, or no replica is fit for it. */
  async #askForFailover(): Promise<true | string> {
    const [sentinel] = this.sentinels;
    if (sentinel === undefined) throw new Error("there are Sentinels");
    try {
      await sentinel.call("SENTINEL", "FAILOVER", PRIMARY_NAME);
      return true;
    } catch (error) {
      if (error instanceof RefusedCommand) return error.message;
      throw error;
    }
  }
}

async function offsetOf(node: RedisServer): Promise<string | undefined> {
  return (await info(node, "INFO", "replication")).get("master_repl_offset");
}
