import type { Redis } from "ioredis";
import type { Deadline } from "./deadline.js";
import type { Server } from "./server.js";

/** What one server says of itself; `undefined` where it does not tell. */
export interface ServerSettings {
  readonly appendonly: string | undefined;
  readonly appendfsync: string | undefined;
  /** When it makes snapshots. Empty: never. */
  readonly save: string | undefined;
  readonly maxmemory: string | undefined;
  readonly maxmemoryPolicy: string | undefined;
  readonly replicas: number | undefined;
}

/** The settings of every server that holds data. */
export function serverSettings(server: Server, deadline: Deadline): Promise<readonly ServerSettings[]> {
  return server.query(deadline, () => Promise.all(server.primaries.map((node) => settingsOf(node))));
}

async function settingsOf(node: Redis): Promise<ServerSettings> {
  const config = (name: string): Promise<string | undefined> =>
    allowed(async () => settingIn(await node.config("GET", name)));
  const [appendonly, appendfsync, save, maxmemory, maxmemoryPolicy, replication] = await Promise.all([
    config("appendonly"),
    config("appendfsync"),
    config("save"),
    config("maxmemory"),
    config("maxmemory-policy"),
    allowed(() => node.info("replication")),
  ]);
  const replicas = /connected_slaves:(\d+)/.exec(replication ?? "")?.[1];
  const count = replicas === undefined ? undefined : Number(replicas);
  return { appendonly, appendfsync, save, maxmemory, maxmemoryPolicy, replicas: count };
}

/** Slots of a Cluster that are between two nodes: sessions in them cannot be written. Empty where the servers do not tell. */
export async function movingSlots(server: Server, deadline: Deadline): Promise<ReadonlySet<number>> {
  if (!server.isCluster) return new Set();
  const found = await server.query(deadline, () =>
    Promise.all(server.primaries.map((node) => allowed(async () => String(await node.cluster("NODES"))))),
  );
  // A node marks the slots of its own line: [93-<-node] comes, [93->-node] goes.
  return new Set(
    found.flatMap((text = "") => [...text.matchAll(/\[(\d+)-[<>]-/g)].map(([, slot]) => Number(slot))),
  );
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

/** What an operator should change: settings with which acknowledged commits can be lost or evicted. */
export function settingsWarnings(settings: readonly ServerSettings[]): readonly string[] {
  return [...new Set(settings.flatMap((one) => [...warningsOf(one)]))];
}

function* warningsOf(settings: ServerSettings): Generator<string> {
  const { appendonly, appendfsync, maxmemory, maxmemoryPolicy, save } = settings;
  if (appendonly === "no")
    yield `appendonly is off: ${save === "" ? "everything" : "what was acknowledged since the last snapshot"} is lost if the server stops. Set "appendonly yes" in its configuration.`;
  if (appendonly === "yes" && appendfsync === "no")
    yield 'appendfsync is no: the system decides when commits reach the disk. Set "appendfsync everysec" or "appendfsync always" in the configuration of the server.';
  const isEvicting = maxmemoryPolicy !== undefined && maxmemoryPolicy !== "noeviction" && maxmemory !== "0";
  if (isEvicting)
    yield `maxmemory-policy is ${maxmemoryPolicy}: the server may evict sessions. Set "maxmemory-policy noeviction" in its configuration.`;
}
