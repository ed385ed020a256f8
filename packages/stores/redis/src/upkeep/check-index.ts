import { Deadline } from "../engine/deadline.js";
import { listOf, numberOf, textOf } from "../engine/reply.js";
import { foreignKey } from "../error-mapping.js";
import { FIELDS } from "../keys/fields.js";
import { FORMAT_VERSION } from "../keys/format-version.js";
import { type PartitionKeys, suffixOf } from "../keys/keys.js";
import type { RedisContext } from "../redis-context.js";
import { type StoredNames, storedNames } from "./stored-names.js";

/** Something about the index that is not as it should be. */
export interface IndexProblem {
  /** What all keys of the partition begin with, or the key of the store's format. */
  readonly partition: string;
  readonly problem: string;
}

/** What is wrong with the index of a store: partitions that lists and watchers cannot trust. It may be used meanwhile. */
export async function indexProblems(context: RedisContext): Promise<readonly IndexProblem[]> {
  const { server, keys, clock, deadlineMs } = context;
  const deadline = new Deadline(clock, deadlineMs);
  const partitions = await storedNames(context, deadline);
  const until = deadline.again();
  const found = partitions.map(async (names): Promise<readonly IndexProblem[]> => {
    const problems = await keyProblems(context, names, until);
    return problems.map((problem) => ({ partition: names.partition.tag, problem }));
  });
  const hasFormat = await server.query(until, (client) => client.exists(keys.format));
  const formatProblem = { partition: keys.format, problem: "it is not there: it was evicted or deleted" };
  return [...(hasFormat > 0 ? [] : [formatProblem]), ...(await Promise.all(found)).flat()];
}

/** The keys of a partition's index, sets of labels and parents included: those that exist and those that should. */
export async function indexKeys(
  { server }: RedisContext,
  { partition, sets }: StoredNames,
  deadline: Deadline,
): Promise<readonly string[]> {
  const { head, feed, tombstones, recent, created, ids, ends, entries, tag } = partition;
  const hasHead = (await server.query(deadline, (client) => client.type(head))) === "hash";
  const fields = hasHead ? await server.query(deadline, (client) => client.hkeys(head)) : [];
  const counted = fields.filter((field) => field.startsWith(FIELDS.COUNT));
  const named = counted.map((field) => `${tag}:${field.slice(FIELDS.COUNT.length)}`);
  return [...new Set([feed, tombstones, recent, created, ids, ends, entries, ...sets.keys(), ...named])];
}

/** Keys of a partition's index that hold another type of value, written by another program. */
export async function foreignKeys(
  context: RedisContext,
  names: StoredNames,
  deadline: Deadline,
): Promise<readonly string[]> {
  const { head, entries } = names.partition;
  const keys = [head, ...(await indexKeys(context, names, deadline))];
  const types = await Promise.all(
    keys.map((key) => context.server.query(deadline, (client) => client.type(key))),
  );
  return keys.filter((key, n) => {
    const expected = key === head || key === entries ? "hash" : "zset";
    return types[n] !== "none" && types[n] !== expected;
  });
}

async function keyProblems(
  context: RedisContext,
  names: StoredNames,
  deadline: Deadline,
): Promise<readonly string[]> {
  const foreign = await foreignKeys(context, names, deadline);
  if (foreign.length > 0) return foreign.map(foreignKey);
  const head = await headProblem(context, names.partition, deadline);
  return head === undefined ? countProblems(context, names, deadline) : [head];
}

async function headProblem(
  { server, keys }: RedisContext,
  { head }: PartitionKeys,
  deadline: Deadline,
): Promise<string | undefined> {
  const fields = [FIELDS.FORMAT, FIELDS.PARTITIONS, FIELDS.POSITION] as const;
  const [format, partitions, position] = await server.query(deadline, (client) =>
    client.hmget(head, ...fields),
  );
  if (format == null) return `${head} is not there: it was evicted or deleted`;
  if (!isPosition(position)) return `${head} has no position, but ${JSON.stringify(position ?? "")}`;
  const isRight = Number(format) === FORMAT_VERSION && Number(partitions) === keys.partitions.length;
  return isRight ? undefined : `${head} has format ${format} and ${partitions ?? "no"} partitions`;
}

/** Whether the position of a feed, as the head of its partition has it, is one. */
export function isPosition(text: string | null | undefined): boolean {
  return typeof text === "string" && /^\d+$/.test(text);
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
