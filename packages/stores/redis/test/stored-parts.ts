import type { Keys } from "../src/keys/keys.js";
import type { RedisClient } from "../src/options.js";

/** Fields of which a session of the kit has some, one for each kind: a message, an id, commits, a turn, the state, what is larger. */
const OF_SESSION = [/^m0$/, /^im1$/, /^T/, /^state$/, /^parts$/, /^p\d/];
const OF_RECORD = [/^C/, /^c0$/, /^revision$/, /^version$/];

/** Removes one part of a session: one of its keys, or one field of them. `undefined` if it has not so many. */
export async function removedPart(
  client: RedisClient,
  keys: Keys,
  id: string,
  number: number,
): Promise<string | undefined> {
  const { session, record } = keys.session(id);
  const fields = [
    ...(await fieldsOf(client, session, OF_SESSION)),
    ...(await fieldsOf(client, record, OF_RECORD)),
  ];
  const [key, field] = [[session], [record], ...fields][number] ?? [];
  if (key === undefined) return undefined;
  await (field === undefined ? client.del(key) : client.hdel(key, field));
  return field === undefined ? `key ${key}` : `field ${field} of ${key}`;
}

async function fieldsOf(
  client: RedisClient,
  key: string,
  kinds: readonly RegExp[],
): Promise<readonly (readonly [string, string])[]> {
  const fields = (await client.hkeys(key)).sort();
  return kinds.flatMap((kind) => {
    const field = fields.find((name) => kind.test(name));
    return field === undefined ? [] : [[key, field] as const];
  });
}

/** All keys of a store. */
async function keysBelow(client: RedisClient, prefix: string): Promise<readonly string[]> {
  const nodes = "nodes" in client ? client.nodes("master") : [client];
  const found = await Promise.all(nodes.map((node) => node.keys(`${prefix}:*`)));
  return found.flat();
}

/** Removes all keys of a store, those of one slot at once: nobody sees a half of a session. */
export async function removeAll(client: RedisClient, prefix: string): Promise<void> {
  const bySlot = new Map<string, string[]>();
  for (const key of await keysBelow(client, prefix)) {
    const slot = /\{[^}]*\}/.exec(key)?.[0] ?? key;
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), key]);
  }
  await Promise.all([...bySlot.values()].map((keys) => client.unlink(...keys)));
}
