import type { ListOrder, ListQuery } from "@sessions/protocol/backend";
import type { Deadline } from "../engine/deadline.js";
import { listOf } from "../engine/reply.js";
import { RANGE } from "../engine/scripts.js";
import { labelKey, type PartitionKeys, parentKey } from "../keys/keys.js";
import { BETWEEN_MEMBERS, idOfMember, memberOf } from "../keys/member.js";
import type { RedisContext } from "../redis-context.js";
import { requireIndex } from "./index-reply.js";
import type { ListPosition } from "./list-position.js";

/** As much as one call gives of a partition. */
export const MAX_RANGE = 1000;
/** And of several together. */
const MAX_FOUND = 2000;
/** A session may be in 64 sets of labels: then its keys leave room for few partitions in a call. */
const MAX_KEYS = 1000;

/** The sessions of one partition in the order of a list, read as far as the list needs them. */
export class PartitionRange {
  readonly partition: PartitionKeys;
  readonly keys: readonly string[];
  /** What is not read yet stands behind it. */
  lookedTo: ListPosition | undefined;
  readonly positions: ListPosition[] = [];
  hasMore = true;
  /** Whether the index has sessions that have ended. */
  hasEnded = false;

  constructor(partition: PartitionKeys, query: ListQuery, after: ListPosition | undefined) {
    this.partition = partition;
    this.keys = keysOf(partition, query);
    this.lookedTo = after;
  }

  /** What a script gave. Without a head there is nothing: the server was emptied. */
  add(found: readonly unknown[] | "no-head"): void {
    const [more, ended, text = ""] = found === "no-head" ? [] : found;
    const [score = "", member = "", ...entries] = String(text).split(BETWEEN_MEMBERS);
    this.hasMore = more === 1;
    this.hasEnded ||= ended === 1;
    if (score !== "") this.lookedTo = positionIn(score, member);
    for (let n = 0; n + 1 < entries.length; n += 2)
      this.positions.push(positionIn(entries[n + 1] ?? "", entries[n] ?? ""));
  }
}

/** Reads on in some partitions. A server is asked for many at once; in a Cluster each is in a slot of its own. */
export async function readRanges(
  context: RedisContext,
  ranges: readonly PartitionRange[],
  query: ListQuery,
  count: number,
  deadline: Deadline,
): Promise<void> {
  const keys = ranges[0]?.keys.length ?? 1;
  const together = Math.max(1, Math.floor(Math.min(MAX_FOUND / count, MAX_KEYS / keys)));
  const size = context.server.isCluster ? 1 : together;
  const calls: Promise<void>[] = [];
  for (let from = 0; from < ranges.length; from += size)
    calls.push(readTogether(context, ranges.slice(from, from + size), query, count, deadline));
  await Promise.all(calls);
}

async function readTogether(
  context: RedisContext,
  ranges: readonly PartitionRange[],
  { order, updatedSince }: ListQuery,
  count: number,
  deadline: Deadline,
): Promise<void> {
  const [by = "", direction = ""] = order.split("-");
  const places = ranges.flatMap(({ lookedTo }) =>
    lookedTo === undefined ? ["", ""] : [lookedTo.time, memberOf(lookedTo.id)],
  );
  const args = [by, direction, count, updatedSince ?? "", ranges[0]?.keys.length ?? 0, ...places];
  const keys = ranges.flatMap((range) => range.keys);
  const replies = listOf(await context.server.runRetryable(RANGE, keys, args, deadline));
  for (const [n, range] of ranges.entries())
    range.add(await requireIndex(context, range.partition, replies[n], deadline));
}

function positionIn(score: string, member: string): ListPosition {
  return { time: Number(score), id: idOfMember(member) };
}

function keysOf(
  partition: PartitionKeys,
  { order, labels = {}, parent, updatedSince }: ListQuery,
): readonly string[] {
  const { head, ends, recent } = partition;
  const needsRecent = updatedSince !== undefined && !order.startsWith("updated");
  return [
    head,
    ends,
    orderSet(partition, order),
    ...Object.entries(labels).map(([name, value]) => labelKey(partition, name, value)),
    ...(parent === undefined ? [] : [parentKey(partition, parent)]),
    ...(needsRecent ? [recent] : []),
  ];
}

function orderSet({ recent, created, ids }: PartitionKeys, order: ListOrder): string {
  if (order.startsWith("updated")) return recent;
  return order.startsWith("created") ? created : ids;
}
