import type { Deadline } from "../engine/deadline.js";
import type { Partitions } from "../engine/partitions.js";
import { listOf, textOf } from "../engine/reply.js";
import { damagedIndex, foreignKey, refuseNewer } from "../error-mapping.js";
import { FORMAT_VERSION } from "../keys/format-version.js";
import type { PartitionKeys } from "../keys/keys.js";

interface IndexContext {
  readonly location: string;
  readonly partitions: Partitions;
}

/**
 * What a script on the index of a partition gave after "ok". Throws if the index cannot be trusted: one that has lost members would
 * give shorter lists.
 */
export async function requireIndex(
  { location, partitions }: IndexContext,
  partition: PartitionKeys,
  reply: unknown,
  deadline: Deadline,
): Promise<readonly unknown[] | "no-head"> {
  const [status, ...rest] = listOf(reply);
  if (status === "ok") return rest;
  const [first, second, third] = rest.map((value) => textOf(value) ?? "");
  if (status === "no-head") {
    await partitions.restore(deadline);
    return "no-head";
  }
  if (status === "format") refuseNewer(first);
  if (status === "format")
    throw damagedIndex(location, partition.tag, `it has format ${first}, and not ${FORMAT_VERSION}`);
  if (status === "type") throw damagedIndex(location, partition.tag, foreignKey(`${partition.tag}:${first}`));
  if (status === "damaged")
    throw damagedIndex(
      location,
      partition.tag,
      `${partition.tag}:${first} has ${second} members, and not ${third}: it was evicted or changed by hand`,
    );
  throw new TypeError(`A script answered ${String(status)}.`);
}
