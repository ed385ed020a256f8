import type { Capabilities, StoreDescription } from "@sessions/protocol";
import type { Cluster, Redis } from "ioredis";
import type { Deadline } from "./deadline.js";
import { asSessionError } from "./error-mapping.js";
import { FORMAT_VERSION } from "./format-version.js";
import type { RedisContext } from "./redis-context.js";

/** What a server says of itself; `undefined` where it does not tell. */
interface Settings {
  readonly appendonly: string | undefined;
  readonly appendfsync: string | undefined;
  readonly policy: string | undefined;
  readonly maxmemory: string | undefined;
  readonly replicas: number | undefined;
}

/** What is really in force, asked of the server. */
export async function describeStore(
  context: RedisContext,
  capabilities: Capabilities,
  deadline: Deadline,
): Promise<StoreDescription> {
  const { server, location, notes, keys } = context;
  const about = { store: "redis", location: `${location}, prefix ${keys.prefix}`, capabilities } as const;
  try {
    const settings = await Promise.all(
      primaries(server.client).map((node) => settingsOf(context, node, deadline)),
    );
    const format = await server.query(deadline, (client) => client.get(keys.shard(0).format));
    const version = Number(format ?? FORMAT_VERSION);
    for (const warning of settings.flatMap(warningsOf)) notes.take(warning, warning);
    return {
      ...about,
      format: { version, supported: FORMAT_VERSION },
      durability: durabilityOf(settings, context.replication !== undefined),
      healthy: version <= FORMAT_VERSION,
      warnings: notes.messages,
    };
  } catch (error) {
    const failure = asSessionError(error, location);
    return {
      ...about,
      format: { version: FORMAT_VERSION, supported: FORMAT_VERSION },
      durability: { survives: "nothing", detail: "The server does not answer." },
      healthy: false,
      warnings: [...notes.messages, failure instanceof Error ? failure.message : String(failure)],
    };
  }
}

function primaries(client: Redis | Cluster): readonly Redis[] {
  return "nodes" in client ? client.nodes("master") : [client];
}

async function settingsOf({ server }: RedisContext, node: Redis, deadline: Deadline): Promise<Settings> {
  const config = async (name: string): Promise<string | undefined> =>
    server.query(deadline, async () => allowed(async () => settingIn(await node.config("GET", name))));
  const [appendonly, appendfsync, policy, maxmemory, replication] = await Promise.all([
    config("appendonly"),
    config("appendfsync"),
    config("maxmemory-policy"),
    config("maxmemory"),
    server.query(deadline, async () => allowed(() => node.info("replication"))),
  ]);
  const replicas = /connected_slaves:(\d+)/.exec(replication ?? "")?.[1];
  return {
    appendonly,
    appendfsync,
    policy,
    maxmemory,
    replicas: replicas === undefined ? undefined : Number(replicas),
  };
}

/** Managed servers forbid CONFIG and ACLs forbid INFO: then it is not known, and nothing fails. */
async function allowed<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && /NOPERM|unknown command|ERR/.test(error.message)) return undefined;
    throw error;
  }
}

function settingIn(reply: unknown): string | undefined {
  const value: unknown = Array.isArray(reply) ? reply[1] : undefined;
  return typeof value === "string" ? value : undefined;
}

function durabilityOf(settings: readonly Settings[], waits: boolean): StoreDescription["durability"] {
  const detail = settings.map(detailOf).join(" ");
  const replicated = waits ? " Replicas confirm each commit before it is acknowledged." : "";
  const always = settings.every(
    ({ appendonly, appendfsync }) => appendonly === "yes" && appendfsync === "always",
  );
  if (waits) return { survives: "replica-loss", detail: `${detail}${replicated}` };
  return { survives: always ? "machine" : "process", detail };
}

function detailOf({ appendonly, appendfsync, replicas }: Settings): string {
  const inForce = `(appendonly=${appendonly ?? "unknown"}, appendfsync=${appendfsync ?? "unknown"}, replicas=${replicas ?? "unknown"})`;
  if (appendonly === undefined)
    return `The server does not tell how it keeps its data: what a commit survives is unknown ${inForce}.`;
  if (appendonly !== "yes")
    return `Commits survive this process. If the server dies, those since its last snapshot are lost ${inForce}.`;
  if (appendfsync === "always")
    return `The server writes a commit to its disk before it answers ${inForce}. A failover may still lose commits that the new primary had not received.`;
  return `Commits survive this process. If the server's machine dies, those of the last second or so may be lost ${inForce}.`;
}

function warningsOf({ appendonly, appendfsync, policy, maxmemory }: Settings): readonly string[] {
  const warnings: string[] = [];
  if (appendonly === "no")
    warnings.push("appendonly is off: what was acknowledged is lost if the server dies. Set appendonly yes.");
  if (appendonly === "yes" && appendfsync === "no")
    warnings.push(
      "appendfsync is no: the system decides when commits reach the disk. Set everysec or always.",
    );
  const evicts = policy !== undefined && policy !== "noeviction" && maxmemory !== "0";
  if (evicts)
    warnings.push(`maxmemory-policy is ${policy}: the server may throw sessions away. Set noeviction.`);
  return warnings;
}
