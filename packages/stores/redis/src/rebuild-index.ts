import type { Cluster, Redis } from "ioredis";
import { Deadline } from "./deadline.js";
import { asSessionError } from "./error-mapping.js";
import { listedSession } from "./listed-session.js";
import type { RedisLocation, RedisStoreOptions } from "./options.js";
import { openRedisContext, type RedisContext } from "./redis-context.js";

/** So many keys are asked for in one go. */
const KEYS_AT_ONCE = 1000;

/** What was found. */
export interface RebuiltIndex {
  /** How many sessions there are. */
  readonly sessions: number;
}

/**
 * Tells the index of every session that there is: after a part of the data was lost or restored. It takes nothing away, and may
 * run while the store is used.
 */
export async function rebuildIndex(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): Promise<RebuiltIndex> {
  const context = await openRedisContext(location, options);
  try {
    let sessions = 0;
    for (const node of primaries(context.server.client)) {
      for await (const keys of keysOf(context, node)) {
        for (const key of keys) if (await enter(context, key)) sessions++;
      }
    }
    return { sessions };
  } catch (error) {
    throw asSessionError(error, context.location);
  } finally {
    context.server.client.disconnect();
  }
}

function primaries(client: Redis | Cluster): readonly Redis[] {
  return "nodes" in client ? client.nodes("master") : [client];
}

async function* keysOf({ server, keys }: RedisContext, node: Redis): AsyncGenerator<readonly string[]> {
  const pattern = `${keys.prefix.replace(/[*?[\]\\]/g, "\\$&")}:{*}:s`;
  let cursor = "0";
  do {
    const [next, found] = await node.scan(cursor, "MATCH", pattern, "COUNT", KEYS_AT_ONCE);
    cursor = next;
    yield found;
  } while (cursor !== "0" && server.client.status !== "end");
}

async function enter(context: RedisContext, key: string): Promise<boolean> {
  const { keys, index, clock, deadlineMs } = context;
  const id = keys.sessionOf(key);
  if (id === undefined) return false;
  const deadline = new Deadline(clock, deadlineMs);
  const session = await listedSession(context, id, deadline);
  if (session === undefined) return false;
  const { labels, parent, createdAt, expiresAt, updatedAt } = session.summary;
  const bound = Math.max(session.lease, updatedAt);
  const entry = {
    bound,
    createdAt,
    endsAt: expiresAt,
    isNew: false,
    labels: Object.entries(labels),
    parent: parent?.sessionId,
  };
  await index.enter(id, entry, deadline);
  return true;
}
