import type { Cluster, Redis } from "ioredis";
import { asSessionError } from "./error-mapping.js";
import type { RedisLocation, RedisStoreOptions } from "./options.js";
import { openRedisContext, type RedisContext } from "./redis-context.js";

/** So many keys are asked for in one go. */
const KEYS_AT_ONCE = 1000;

/**
 * The ids of all sessions whose keys are there: damaged ones too, and those that the index does not know. Reads the names of
 * all keys (SCAN on each primary), so it is for repairs.
 */
export async function* sessionIds(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): AsyncGenerator<string, void> {
  const context = await openRedisContext(location, options);
  try {
    yield* scanSessions(context);
  } catch (error) {
    throw asSessionError(error, context.location);
  } finally {
    context.server.client.disconnect();
  }
}

/** The same, on a connection that is there. A key may come twice, as SCAN has it: each session comes once. */
export async function* scanSessions(context: RedisContext): AsyncGenerator<string, void> {
  const seen = new Set<string>();
  for (const node of primaries(context.server.client)) {
    for await (const key of keysOn(context, node)) {
      const id = context.keys.sessionOf(key);
      if (id === undefined || seen.has(id)) continue;
      seen.add(id);
      yield id;
    }
  }
}

function primaries(client: Redis | Cluster): readonly Redis[] {
  return "nodes" in client ? client.nodes("master") : [client];
}

async function* keysOn({ server, keys }: RedisContext, node: Redis): AsyncGenerator<string> {
  const pattern = `${keys.prefix.replace(/[*?[\]\\]/g, "\\$&")}:{*}:s`;
  let cursor = "0";
  do {
    const [next, found] = await node.scan(cursor, "MATCH", pattern, "COUNT", KEYS_AT_ONCE);
    cursor = next;
    yield* found;
  } while (cursor !== "0" && server.client.status !== "end");
}
