import { Damage } from "@sessions/protocol/backend";
import { labelSets, readIndexEntry } from "../commit/index-changes.js";
import type { Deadline } from "../engine/deadline.js";
import { listOf, numberOf, textOf } from "../engine/reply.js";
import { INDEXED } from "../engine/scripts.js";
import { LIMITS } from "../keys/fields.js";
import type { PartitionKeys } from "../keys/keys.js";
import type { RedisContext } from "../redis-context.js";

/** What is left of a session, and whether the index has it as it should. */
export interface IndexedSession {
  readonly id: string;
  /** `contentless`: its content is gone, before its time. `unreadable`: its record is. `nothing`: both are. */
  readonly kind: "live" | "ended" | "tombstone" | "contentless" | "unreadable" | "nothing";
  /** Of its record; empty if there is none. */
  readonly version: string;
  readonly revision: string;
  /** Its entry in the index; empty if there is none. */
  readonly entry: string;
  readonly isRight: boolean;
}

/** What the index has of a session, at one moment. */
interface Index {
  readonly entry: string;
  readonly feed: number | undefined;
  readonly tombstone: number | undefined;
  readonly recent: number | undefined;
  readonly created: number | undefined;
  readonly byId: number | undefined;
  readonly end: number | undefined;
  readonly sets: ReadonlyMap<string, number | undefined>;
}

/** What the record of a session says, at the same moment. */
interface Recorded {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | undefined;
  /** Whether it should have an entry in the index. */
  readonly hasEntry: boolean;
}

/** Reads what the index has of a session. `seen`: further sets of labels and parents that it was seen in. */
export async function readIndexedSession(
  context: RedisContext,
  id: string,
  seen: readonly string[],
  deadline: Deadline,
): Promise<IndexedSession> {
  const { partition, record, session, member } = context.keys.session(id);
  const { entries, feed, tombstones, recent, created, ids, ends } = partition;
  const { server } = context;
  const entry = textOf(await server.query(deadline, (client) => client.hget(entries, member))) ?? "";
  const own = entrySets(partition, entry);
  const sets = [...new Set([...own, ...seen])];
  const keys = [record, session, entries, feed, tombstones, recent, created, ids, ends, ...sets];
  const reply = listOf(await server.runRetryable(INDEXED, keys, [member], deadline));
  const [time, size, fields, entryNow, scores] = reply;
  // Written to since its entry was read.
  if ((textOf(entryNow) ?? "") !== entry) return readIndexedSession(context, id, seen, deadline);
  const [fed, tombstone, changed, made, byId, end, ...inSets] = listOf(scores).map(numberOf);
  const index: Index = {
    entry,
    feed: fed,
    tombstone,
    recent: changed,
    created: made,
    byId,
    end,
    sets: new Map(sets.map((key, n) => [key, inSets[n]])),
  };
  return judged(id, fields, size !== 0, numberOf(time) ?? 0, index, own);
}

function judged(
  id: string,
  fields: unknown,
  isThere: boolean,
  now: number,
  index: Index,
  own: readonly string[],
): IndexedSession {
  const { entry } = index;
  const nothing = { id, version: "", revision: "", entry };
  // Written over by another program.
  if (!Array.isArray(fields)) return { ...nothing, kind: "unreadable", isRight: true };
  const [version = "", revision = "", created, updated, expires, deleted, indexVersion = ""] =
    fields.map(textOf);
  if (revision === "" && !isThere) {
    const hasEnded = index.end !== undefined && isOver(index.end, now);
    return { ...nothing, kind: hasEnded ? "ended" : "nothing", isRight: hasEnded || !isNamed(index) };
  }
  const read = { ...nothing, version, revision };
  if (deleted !== undefined) return { ...read, kind: "tombstone", isRight: isRightForTombstone(index) };
  const [createdAt, updatedAt, expiresAt] = [created, updated, expires].map(numberOf);
  if (revision === "" || createdAt === undefined || updatedAt === undefined)
    return { ...read, kind: "unreadable", isRight: true };
  const recorded = { createdAt, updatedAt, expiresAt, hasEntry: indexVersion !== "" };
  const isRight = isRightFor(recorded, index, own);
  if (isThere) return { ...read, kind: "live", isRight: isRight && recorded.hasEntry === (entry !== "") };
  return {
    ...read,
    kind: expiresAt !== undefined && isOver(expiresAt, now) ? "ended" : "contentless",
    isRight,
  };
}

function isRightFor(
  { createdAt, updatedAt, expiresAt }: Recorded,
  { feed, tombstone, recent, created, byId, end, sets }: Index,
  own: readonly string[],
): boolean {
  const isInSets = [...sets].every(([key, score]) => score === (own.includes(key) ? updatedAt : undefined));
  const isOrdered = recent === updatedAt && created === createdAt && byId === 0 && end === expiresAt;
  return isOrdered && isInSets && feed !== undefined && tombstone === undefined;
}

function isRightForTombstone({ entry, feed, tombstone, recent, created, byId, end, sets }: Index): boolean {
  const listed = [recent, created, byId, end, ...sets.values()];
  const isListed = entry !== "" || listed.some((score) => score !== undefined);
  return !isListed && feed !== undefined && tombstone !== undefined;
}

function isNamed({ entry, feed, tombstone, recent, created, byId, end, sets }: Index): boolean {
  const scores = [feed, tombstone, recent, created, byId, end, ...sets.values()];
  return entry !== "" || scores.some((score) => score !== undefined);
}

function isOver(end: number, now: number): boolean {
  return end <= now + LIMITS.EXPIRY_SLACK_MS;
}

/** The sets that an entry names. One that cannot be read names none. */
function entrySets(partition: PartitionKeys, entry: string): readonly string[] {
  try {
    return labelSets(partition, readIndexEntry(entry, partition.entries));
  } catch (error) {
    if (error instanceof Damage) return [];
    throw error;
  }
}
