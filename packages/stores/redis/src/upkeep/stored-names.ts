import type { Redis } from "ioredis";
import type { Deadline } from "../engine/deadline.js";
import { isWrongType } from "../engine/wrong-type.js";
import type { PartitionKeys } from "../keys/keys.js";
import { idOfMember } from "../keys/member.js";
import type { RedisContext } from "../redis-context.js";

const KEYS_PER_CALL = 1000;

/** What keys there are in a partition, whatever its index says. */
export interface StoredNames {
  readonly partition: PartitionKeys;
  /** Sessions that a key or the index names. */
  readonly ids: Set<string>;
  /** The sets of labels and parents, each with the sessions in it. */
  readonly sets: Map<string, Set<string>>;
}

/**
 * Every session of a store that anything is left of: by the names of all keys (SCAN on each primary) and by what the index names. What
 * changes meanwhile may be in it or not.
 */
export async function storedNames(
  context: RedisContext,
  deadline: Deadline,
): Promise<readonly StoredNames[]> {
  const { partitions } = context.keys;
  const names = partitions.map((partition): StoredNames => ({ partition, ids: new Set(), sets: new Map() }));
  const byTag = new Map(names.map((one) => [one.partition.tag, one]));
  for (const node of context.server.primaries)
    for await (const key of keysOn(context, node, deadline)) {
      const end = key.indexOf("}") + 1;
      const found = byTag.get(key.slice(0, end));
      if (found !== undefined) addKey(found, key, key.slice(end + 1));
    }
  await Promise.all(names.map((found) => addMembers(context, found, deadline)));
  return names;
}

async function* keysOn(
  { keys, server }: RedisContext,
  node: Redis,
  deadline: Deadline,
): AsyncGenerator<string> {
  const pattern = `${keys.prefix.replace(/[*?[\]\\]/g, "\\$&")}:{*}:*`;
  let cursor = "0";
  do {
    const [next, found] = await server.query(deadline.again(), () =>
      node.scan(cursor, "MATCH", pattern, "COUNT", KEYS_PER_CALL),
    );
    cursor = next;
    yield* found;
  } while (cursor !== "0");
}

function addKey({ ids, sets }: StoredNames, key: string, suffix: string): void {
  const [kind] = suffix.split(":", 1);
  if (kind === "record" || kind === "session") ids.add(suffix.slice(kind.length + 1));
  else if (kind === "label" || kind === "parent") sets.set(key, new Set());
}

async function addMembers(
  context: RedisContext,
  { partition, ids, sets }: StoredNames,
  deadline: Deadline,
): Promise<void> {
  const { server } = context;
  const { recent, created, ids: byId, ends, feed, tombstones, entries } = partition;
  const named = async (key: string, command: "zscan" | "hscan"): Promise<readonly string[]> => {
    try {
      return await scanned((cursor) =>
        server.query(deadline.again(), (client) => client[command](key, cursor, "COUNT", KEYS_PER_CALL)),
      );
    } catch (error) {
      if (isWrongType(error)) return []; // it is named as a problem of its own
      throw error;
    }
  };
  const lists = [recent, created, byId, ends, feed, tombstones].map((key) => named(key, "zscan"));
  for (const list of await Promise.all([...lists, named(entries, "hscan")]))
    for (const id of list) ids.add(id);
  for (const [key, members] of sets)
    for (const id of await named(key, "zscan")) {
      ids.add(id);
      members.add(id);
    }
}

async function scanned(
  scan: (cursor: string) => Promise<readonly [string, readonly string[]]>,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  let cursor = "0";
  do {
    const [next, page] = await scan(cursor);
    for (let n = 0; n < page.length; n += 2) ids.add(idOfMember(page[n] ?? ""));
    cursor = next;
  } while (cursor !== "0");
  return [...ids];
}
