import type { Capabilities, StoreDescription } from "@sessions/protocol";
import type { Deadline } from "../engine/deadline.js";
import { slotOf } from "../engine/partition-tags.js";
import {
  movingSlots,
  type ServerSettings,
  serverSettings,
  settingsWarnings,
} from "../engine/server-settings.js";
import { asSessionError } from "../error-mapping.js";
import { FORMAT_VERSION } from "../keys/format-version.js";
import type { RedisContext } from "../redis-context.js";

/** What is really in force, asked of the server. */
export async function describeStore(
  context: RedisContext,
  capabilities: Capabilities,
  deadline: Deadline,
): Promise<StoreDescription> {
  const { server, location, warnings, keys } = context;
  const about = { store: "redis", location: `${location}, prefix ${keys.prefix}`, capabilities } as const;
  try {
    const settings = await serverSettings(server, deadline);
    for (const warning of settingsWarnings(settings)) warnings.set(warning, warning);
    const version = await storedFormat(context, deadline);
    const problems = [
      ...(await lostHeads(context, deadline)),
      ...(await movingPartitions(context, deadline)),
    ];
    return {
      ...about,
      format: { version, supported: FORMAT_VERSION },
      durability: durabilityOf(settings, context.replication !== undefined),
      healthy: version === FORMAT_VERSION && problems.length === 0,
      warnings: [...warnings.messages, ...problems],
    };
  } catch (error) {
    const failure = asSessionError(error, location);
    return {
      ...about,
      format: { version: FORMAT_VERSION, supported: FORMAT_VERSION },
      durability: { survives: "nothing", detail: "The server does not answer." },
      healthy: false,
      warnings: [...warnings.messages, failure instanceof Error ? failure.message : String(failure)],
    };
  }
}

async function storedFormat({ server, keys }: RedisContext, deadline: Deadline): Promise<number> {
  const format = await server.query(deadline, (client) => client.hget(keys.format, "format"));
  return Number(format ?? FORMAT_VERSION);
}

async function lostHeads({ partitions }: RedisContext, deadline: Deadline): Promise<readonly string[]> {
  const missing = await partitions.missingHeads(deadline);
  return missing.map(
    ({ head }) => `${head} is not there: it was evicted or deleted. Run "sessions doctor --fix".`,
  );
}

async function movingPartitions(
  { server, keys }: RedisContext,
  deadline: Deadline,
): Promise<readonly string[]> {
  const moving = await movingSlots(server, deadline);
  return keys.partitions
    .filter(({ head }) => moving.has(slotOf(head)))
    .map(
      ({ tag, head }) =>
        `Partition ${tag} is in slot ${slotOf(head)}, which is between two nodes: its sessions cannot be written until it has moved. If no reshard runs, "redis-cli --cluster fix" ends it.`,
    );
}

function durabilityOf(settings: readonly ServerSettings[], waits: boolean): StoreDescription["durability"] {
  const detail = settings.map(detailOf).join(" ");
  if (waits)
    return {
      survives: "replica-loss",
      detail: `${detail} Replicas confirm each commit before it is acknowledged.`,
    };
  const isAlways = settings.every(
    ({ appendonly, appendfsync }) => appendonly === "yes" && appendfsync === "always",
  );
  return { survives: isAlways ? "machine" : "process", detail };
}

function detailOf({ appendonly, appendfsync, save, replicas }: ServerSettings): string {
  const inForce = `(appendonly=${appendonly ?? "unknown"}, appendfsync=${appendfsync ?? "unknown"}, replicas=${replicas ?? "unknown"})`;
  if (appendonly === undefined)
    return `The server does not tell how it keeps its data: what a commit survives is unknown ${inForce}.`;
  if (appendonly !== "yes" && save === "")
    return `Commits survive this process. If the server dies, everything is lost: it writes nothing to its disk ${inForce}.`;
  if (appendonly !== "yes")
    return `Commits survive this process. If the server dies, those since its last snapshot are lost ${inForce}.`;
  if (appendfsync === "always")
    return `The server writes a commit to its disk before it answers ${inForce}. A failover may still lose commits that the new primary had not received.`;
  return `Commits survive this process. If the server's machine dies, those of the last second or so may be lost ${inForce}.`;
}
