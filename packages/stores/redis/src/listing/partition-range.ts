import type { ListOrder, ListQuery } from "@sessions/protocol/backend";
import type { Deadline } from "../engine/deadline.js";
import { numberOf, textOf } from "../engine/reply.js";
import { RANGE } from "../engine/scripts.js";
import { labelKey, type PartitionKeys, parentKey } from "../keys/keys.js";
import { idOfMember, memberOf } from "../keys/member.js";
import type { RedisContext } from "../redis-context.js";
import { requireIndex } from "./index-reply.js";
import type { ListPosition } from "./list-position.js";

/** As much as one call gives. */
export const MAX_RANGE = 1000;

/** The sessions of one partition in the order of a list, read as far as the list needs them. */
export class PartitionRange {
  readonly #context: RedisContext;
  readonly #partition: PartitionKeys;
  readonly #query: ListQuery;
  readonly #keys: readonly string[];
  /** How far was looked. */
  #lookedTo: ListPosition | undefined;
  readonly positions: ListPosition[] = [];
  hasMore = true;
  /** Whether the index has sessions that have ended. */
  hasEnded = false;

  constructor(
    context: RedisContext,
    partition: PartitionKeys,
    query: ListQuery,
    after: ListPosition | undefined,
  ) {
    this.#context = context;
    this.#partition = partition;
    this.#query = query;
    this.#keys = keysOf(partition, query);
    this.#lookedTo = after;
  }

  get partition(): PartitionKeys {
    return this.#partition;
  }

  /** What is not read yet stands behind it. */
  get lookedTo(): ListPosition | undefined {
    return this.#lookedTo;
  }

  async read(count: number, deadline: Deadline): Promise<void> {
    const { order, updatedSince } = this.#query;
    const [by = "", direction = ""] = order.split("-");
    const after = this.#lookedTo;
    const place = after === undefined ? ["", ""] : [after.time, memberOf(after.id)];
    const args = [by, direction, Math.min(count, MAX_RANGE), updatedSince ?? "", ...place];
    const reply = await this.#context.server.runRetryable(RANGE, this.#keys, args, deadline);
    const found = await requireIndex(this.#context, this.#partition, reply, deadline);
    if (found === "no-head") {
      this.hasMore = false;
      return;
    }
    const [more, ended, score, member, ...entries] = found;
    this.hasMore = more === 1;
    this.hasEnded ||= ended === 1;
    if (textOf(score) !== "") this.#lookedTo = positionIn(score, member);
    for (let n = 0; n < entries.length; n += 2) this.positions.push(positionIn(entries[n + 1], entries[n]));
  }
}

function positionIn(score: unknown, member: unknown): ListPosition {
  return { time: numberOf(score) ?? 0, id: idOfMember(textOf(member) ?? "") };
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
