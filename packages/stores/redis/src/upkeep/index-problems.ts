import type { Deadline } from "../engine/deadline.js";
import { listOf, numberOf, textOf } from "../engine/reply.js";
import { FIELDS } from "../keys/fields.js";
import { FORMAT_VERSION } from "../keys/format-version.js";
import { type PartitionKeys, suffixOf } from "../keys/keys.js";
import type { RedisContext } from "../redis-context.js";
import type { StoredNames } from "./stored-names.js";

/** Something about the index that is not as it should be. */
export interface IndexProblem {
  /** What all keys of the partition begin with, or the key of the store's format. */
  readonly partition: string;
  readonly problem: string;
}

/** The keys of a partition's index, sets of labels and parents included: those that exist and those that should. */
export async function indexKeys(
  { server }: RedisContext,
  { partition, sets }: StoredNames,
  deadline: Deadline,
): Promise<readonly string[]> {
  const { head, feed, tombstones, recent, created, ids, ends, entries, tag } = partition;
  const names =
    (await typeOf(server, head, deadline)) === "hash"
      ? await server.query(deadline, (client) => client.hkeys(head))
      : [];
  const counted = names
    .filter((name) => name.startsWith(FIELDS.COUNT))
    .map((name) => `${tag}:${name.slice(FIELDS.COUNT.length)}`);
  return [...new Set([feed, tombstones, recent, created, ids, ends, entries, ...sets.keys(), ...counted])];
}

/** Keys of a partition's index that hold another type of value, written by another program. */
export async function foreignKeys(
  context: RedisContext,
  names: StoredNames,
  deadline: Deadline,
): Promise<readonly string[]> {
  const { head, entries } = names.partition;
  const keys = [head, ...(await indexKeys(context, names, deadline))];
  const types = await Promise.all(keys.map((key) => typeOf(context.server, key, deadline)));
  return keys.filter((key, n) => {
    const expected = key === head || key === entries ? "hash" : "zset";
    return types[n] !== "none" && types[n] !== expected;
  });
}

function typeOf(server: RedisContext["server"], key: string, deadline: Deadline): Promise<string> {
  return server.query(deadline, (client) => client.type(key));
}

/** What is wrong with the keys of a partition's index, whatever sessions there are. */
export async function keyProblems(
  context: RedisContext,
  names: StoredNames,
  deadline: Deadline,
): Promise<readonly IndexProblem[]> {
  const { partition } = names;
  const foreign = await foreignKeys(context, names, deadline);
  const problems = foreign.map((key) => `${key} holds another type of value, written by another program`);
  if (!foreign.includes(partition.head)) problems.push(...(await headProblems(context, partition, deadline)));
  if (problems.length === 0) problems.push(...(await countProblems(context, names, deadline)));
  return problems.map((problem) => ({ partition: partition.tag, problem }));
}

async function headProblems(
  { server, keys }: RedisContext,
  { head }: PartitionKeys,
  deadline: Deadline,
): Promise<readonly string[]> {
  const fields = [FIELDS.FORMAT, FIELDS.PARTITIONS] as const;
  const [format, partitions] = await server.query(deadline, (client) => client.hmget(head, ...fields));
  if (format == null) return [`${head} is not there: it was evicted or deleted`];
  if (Number(format) !== FORMAT_VERSION) return [`${head} has format ${format}`];
  const isOther = Number(partitions) !== keys.partitions.length;
  return isOther ? [`${head} is of a store with ${partitions ?? "no"} partitions`] : [];
}

async function countProblems(
  context: RedisContext,
  names: StoredNames,
  deadline: Deadline,
): Promise<readonly string[]> {
  const { server } = context;
  const { partition } = names;
  const counted = async (key: string): Promise<readonly string[]> => {
    const field = `${FIELDS.COUNT}${suffixOf(partition, key)}`;
    // Both of one moment: commits change them together.
    const transaction = await server.query(deadline, (client) => {
      const commands = client.multi().hget(partition.head, field);
      return (key === partition.entries ? commands.hlen(key) : commands.zcard(key)).exec();
    });
    const [[, count], [, members]] = [listOf(transaction?.[0]), listOf(transaction?.[1])];
    const [expected, found] = [numberOf(textOf(count)) ?? 0, numberOf(members) ?? 0];
    if (expected === found) return [];
    return [`${key} has ${found} members, and not ${expected}: it was evicted or changed by hand`];
  };
  const keys = await indexKeys(context, names, deadline);
  return (await Promise.all(keys.map(counted))).flat();
}
