import { SessionError } from "@sessions/protocol/backend";
import type { Deadline } from "../engine/deadline.js";
import type { Partitions } from "../engine/partitions.js";
import { listOf, textOf } from "../engine/reply.js";
import { refuseNewer } from "../error-mapping.js";
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
    throw damagedIndex(location, partition, `it has format ${first}, and not ${FORMAT_VERSION}`);
  if (status === "type")
    throw damagedIndex(
      location,
      partition,
      `${partition.tag}:${first} holds another type of value, written by another program`,
    );
  if (status === "damaged")
    throw damagedIndex(
      location,
      partition,
      `${partition.tag}:${first} has ${second} members, and not ${third}: it was evicted or changed by hand`,
    );
  throw new TypeError(`A script answered ${String(status)}.`);
}

/** A part of the index is gone or changed: what it would say is not true. The sessions themselves may be whole. */
function damagedIndex(location: string, { tag }: PartitionKeys, problem: string): SessionError {
  const message = `${location}: the index of partition ${tag} is damaged: ${problem}. Nothing was changed. Run \`sessions doctor --fix\`, which builds it anew from the sessions.`;
  return SessionError.of("DATA_LOST", message, {});
}
