import { eventually } from "../eventually.js";
import { info } from "../info.js";
import { RedisServer } from "../redis-server.js";
import type { ServerOptions } from "../server-options.js";
import { startServer } from "../start-server.js";
import { PRIMARY_NAME, ReplicatedServers } from "./replicated.js";
import { startTogether, stopTogether } from "./start-together.js";

const SENTINELS = 3;
const QUORUM = 2;
/** Long enough for a loaded machine not to take a busy primary for a dead one. */
const DOWN_AFTER_MS = 1500;
const FAILOVER_TIMEOUT_MS = 5000;

/** How a primary with replicas and Sentinels is started. */
export interface ReplicatedOptions extends ServerOptions {
  /**
   * How many replicas the primary has.
   * @default 1
   */
  readonly replicas?: number;
  /**
   * Bounds each step of a failover. By itself a Sentinel begins the next one only after twice this time.
   * @default 5000
   */
  readonly failoverTimeoutMs?: number;
}

/** Starts them, and waits until the replicas follow and the Sentinels know each other. */
export async function startReplicated(options: ReplicatedOptions = {}): Promise<ReplicatedServers> {
  const { replicas: count = 1, failoverTimeoutMs = FAILOVER_TIMEOUT_MS, ...serverOptions } = options;
  const started: RedisServer[] = [];
  try {
    const primary = await startServer(serverOptions);
    started.push(primary);
    const following = [...(options.config ?? []), `replicaof 127.0.0.1 ${primary.port}`];
    const [replica, ...others] = await startTogether(
      Array.from({ length: count }, () => startServer({ ...serverOptions, config: following })),
    );
    if (replica === undefined) throw new Error("a Sentinel needs a replica to promote");
    started.push(replica, ...others);
    for (const one of [replica, ...others]) await follows(one);
    const sentinels = await startTogether(
      Array.from({ length: SENTINELS }, () => startSentinel(primary.port, failoverTimeoutMs, options.parent)),
    );
    started.push(...sentinels);
    await acquainted(sentinels, count);
    return new ReplicatedServers(primary, [replica, ...others], sentinels);
  } catch (error) {
    await stopTogether(started);
    throw error;
  }
}

function startSentinel(
  primaryPort: number,
  failoverTimeoutMs: number,
  parent: string | undefined,
): Promise<RedisServer> {
  return RedisServer.start({
    sentinel: true,
    ...(parent === undefined ? {} : { parent }),
    configure: (port) => [
      `port ${port}`,
      "bind 127.0.0.1",
      `sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${primaryPort} ${QUORUM}`,
      `sentinel down-after-milliseconds ${PRIMARY_NAME} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${PRIMARY_NAME} ${failoverTimeoutMs}`,
    ],
  });
}

async function follows(replica: RedisServer): Promise<void> {
  await eventually("the replica followed", async () => {
    const seen = (await info(replica, "INFO", "replication")).get("master_link_status");
    return { holds: seen === "up", seen };
  });
}

async function acquainted(sentinels: readonly RedisServer[], replicas: number): Promise<void> {
  await eventually("the Sentinels knew each other and the replicas", async () => {
    const known = await Promise.all(
      sentinels.map(async (sentinel) => {
        const line = (await info(sentinel, "INFO", "sentinel")).get("master0") ?? "";
        return line.includes(`slaves=${replicas},`) && line.endsWith(`sentinels=${SENTINELS}`);
      }),
    );
    return { holds: known.every(Boolean), seen: known.join(", ") };
  });
}
