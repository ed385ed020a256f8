import type { Deadline } from "../engine/deadline.js";
import { numberOf, textOf } from "../engine/reply.js";
import { FEED } from "../engine/scripts.js";
import type { PartitionKeys } from "../keys/keys.js";
import { idOfMember } from "../keys/member.js";
import { requireIndex } from "../listing/index-reply.js";
import type { RedisContext } from "../redis-context.js";

const CHANGES_PER_CALL = 500;

/** A session, and the position of its last change. */
export interface ChangedSession {
  readonly id: string;
  readonly position: number;
}

/** What has changed in a partition behind a position. */
export interface PartitionChanges {
  /** The id of the store that the partition belongs to. */
  readonly store: string;
  /** How far was read. */
  readonly position: number;
  /** The greatest position of a tombstone that was forgotten. */
  readonly removed: number;
  /** Whether sessions have ended that no watcher has heard of yet. */
  readonly isDue: boolean;
  readonly changed: readonly ChangedSession[];
}

/** What has changed behind a position, all of it. Without one only how far the partition is. */
export async function readPartition(
  context: RedisContext,
  partition: PartitionKeys,
  since: number | undefined,
  deadline: Deadline,
): Promise<PartitionChanges> {
  let read = await readSome(context, partition, since, deadline);
  const changed = [...read.changed];
  while (read.changed.length === CHANGES_PER_CALL) {
    read = await readSome(context, partition, changed.at(-1)?.position, deadline.again());
    changed.push(...read.changed);
  }
  return { ...read, changed };
}

async function readSome(
  context: RedisContext,
  partition: PartitionKeys,
  since: number | undefined,
  deadline: Deadline,
): Promise<PartitionChanges> {
  const { head, feed, ends, tombstones } = partition;
  const args = [since ?? "", CHANGES_PER_CALL];
  for (;;) {
    const reply = await context.server.runRetryable(FEED, [head, feed, ends, tombstones], args, deadline);
    const found = await requireIndex(context, partition, reply, deadline);
    if (found === "no-head") continue; // the server was emptied, and the head is there again
    const [store, position, removed, due, ...entries] = found;
    const changed: ChangedSession[] = [];
    for (let n = 0; n < entries.length; n += 2)
      changed.push({ id: idOfMember(textOf(entries[n]) ?? ""), position: numberOf(entries[n + 1]) ?? 0 });
    return {
      store: textOf(store) ?? "",
      position: numberOf(position) ?? 0,
      removed: numberOf(removed) ?? 0,
      isDue: due === 1,
      changed,
    };
  }
}
