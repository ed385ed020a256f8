import { eventually } from "../eventually.js";
import { info } from "../info.js";
import { RedisServer } from "../redis-server.js";
import type { ServerOptions } from "../server-options.js";
import { startServer } from "../start-server.js";
import { startTogether, stopTogether } from "./start-together.js";

/** The name under which the Sentinels know the primary. */
const NAME = "sessions";
const SENTINELS = 3;
const QUORUM = 2;
/** Long enough for a loaded machine not to take a busy primary for a dead one. */
const DOWN_AFTER_MS = 1500;

/** A primary, its replica, and three Sentinels that promote the replica when two of them miss the primary. */
export class ReplicatedServers implements AsyncDisposable {
  readonly name: string = NAME;
  /** The one that began as the primary. */
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  readonly sentinels: readonly RedisServer[];

  constructor(primary: RedisServer, replica: RedisServer, sentinels: readonly RedisServer[]) {
    this.primary = primary;
    this.replica = replica;
    this.sentinels = sentinels;
  }

  /** The port of the primary, by what the Sentinels say at this moment. */
  async primaryPorts(): Promise<readonly number[]> {
    return Promise.all(
      this.sentinels.map(async (sentinel) => {
        const address = await sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
        return Array.isArray(address) ? Number(address[1]) : 0;
      }),
    );
  }

  /** Waits until the replica is the primary, for itself and for all Sentinels. */
  async promoted(): Promise<void> {
    await eventually("the replica was promoted", async () => {
      const ports = await this.primaryPorts();
      const role = (await info(this.replica, "INFO", "replication")).get("role");
      return {
        holds: role === "master" && ports.every((port) => port === this.replica.port),
        seen: `${role}, Sentinels name ${ports.join(", ")}`,
      };
    });
  }

  async stop(): Promise<void> {
    await stopTogether([...this.sentinels, this.replica, this.primary]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Starts them, and waits until the replica follows and the Sentinels know each other. */
export async function startReplicated(options: ServerOptions = {}): Promise<ReplicatedServers> {
  const started: RedisServer[] = [];
  try {
    const primary = await startServer(options);
    started.push(primary);
    const following = [...(options.config ?? []), `replicaof 127.0.0.1 ${primary.port}`];
    const replica = await startServer({ ...options, config: following });
    started.push(replica);
    await follows(replica);
    const sentinels = await startTogether(
      Array.from({ length: SENTINELS }, () => startSentinel(primary.port)),
    );
    started.push(...sentinels);
    await acquainted(sentinels);
    return new ReplicatedServers(primary, replica, sentinels);
  } catch (error) {
    await stopTogether(started);
    throw error;
  }
}

function startSentinel(primaryPort: number): Promise<RedisServer> {
  return RedisServer.start({
    sentinel: true,
    configure: (port) => [
      `port ${port}`,
      "bind 127.0.0.1",
      `sentinel monitor ${NAME} 127.0.0.1 ${primaryPort} ${QUORUM}`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${NAME} 5000`,
    ],
  });
}

async function follows(replica: RedisServer): Promise<void> {
  await eventually("the replica followed", async () => {
    const seen = (await info(replica, "INFO", "replication")).get("master_link_status");
    return { holds: seen === "up", seen };
  });
}

async function acquainted(sentinels: readonly RedisServer[]): Promise<void> {
  await eventually("the Sentinels knew each other and the replica", async () => {
    const known = await Promise.all(
      sentinels.map(async (sentinel) => {
        const line = (await info(sentinel, "INFO", "sentinel")).get("master0") ?? "";
        return line.includes("slaves=1,") && line.endsWith(`sentinels=${SENTINELS}`);
      }),
    );
    return { holds: known.every(Boolean), seen: known.join(", ") };
  });
}
