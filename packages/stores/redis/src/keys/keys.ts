import { crc32 } from "node:zlib";
import { partitionTags } from "../engine/partition-tags.js";
import { memberOf } from "./member.js";

const MAX_KNOWN_SESSIONS = 2000;

/** The keys of one partition: all of them in one slot of a Cluster. */
export interface PartitionKeys {
  readonly number: number;
  /** The hash tag: what is between the braces. */
  readonly name: string;
  /** What all of them begin with; see `suffixOf`. */
  readonly tag: string;
  /** A hash: format, position of the feed, how many members each set has. */
  readonly head: string;
  /** Sorted sets of sessions: by last change, creation, id, end; by position of the last change in the feed; tombstones by their end. */
  readonly recent: string;
  readonly created: string;
  readonly ids: string;
  readonly ends: string;
  readonly feed: string;
  readonly tombstones: string;
  /** A hash: labels and parent of the sessions that have any. */
  readonly entries: string;
  /** Nothing: what the server's user may do is tried out on it. */
  readonly probe: string;
}

/** The keys of one session. */
export interface SessionKeys {
  readonly partition: PartitionKeys;
  /** A hash: what commits compare and remember. It outlives the session as its tombstone. */
  readonly record: string;
  /** A hash: all that the session holds. */
  readonly session: string;
  /** Its name in the sets of the index. */
  readonly member: string;
}

/** The names of all keys of a store. */
export class Keys {
  readonly prefix: string;
  /** A hash: the format of the store. It is written when all partitions are. */
  readonly format: string;
  /** The channel of wake-ups. */
  readonly channel: string;
  readonly partitions: readonly PartitionKeys[];
  /** Those of sessions that were used lately. */
  readonly #sessions = new Map<string, SessionKeys>();

  constructor(prefix: string, partitions: number) {
    this.prefix = prefix;
    this.format = `${prefix}:format`;
    this.channel = `${prefix}:changes`;
    this.partitions = partitionTags(partitions).map((tag, number) => partitionKeys(prefix, tag, number));
  }

  partition(number: number): PartitionKeys {
    const keys = this.partitions[number];
    if (keys === undefined) throw new RangeError(`there is no partition ${number}`);
    return keys;
  }

  partitionOf(id: string): PartitionKeys {
    return this.partition(crc32(id) % this.partitions.length);
  }

  session(id: string): SessionKeys {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const partition = this.partitionOf(id);
    const { tag } = partition;
    const member = memberOf(id);
    const keys = { partition, record: `${tag}:record:${id}`, session: `${tag}:session:${id}`, member };
    if (this.#sessions.size >= MAX_KNOWN_SESSIONS) this.#sessions.clear();
    this.#sessions.set(id, keys);
    return keys;
  }

  /** The session whose record a key is. */
  sessionOfRecord(key: string): string | undefined {
    const start = key.indexOf("}:record:");
    return start < 0 ? undefined : key.slice(start + "}:record:".length);
  }
}

function partitionKeys(prefix: string, name: string, number: number): PartitionKeys {
  const tag = `${prefix}:{${name}}`;
  return {
    number,
    name,
    tag,
    head: `${tag}:head`,
    recent: `${tag}:recent`,
    created: `${tag}:created`,
    ids: `${tag}:ids`,
    ends: `${tag}:ends`,
    feed: `${tag}:feed`,
    tombstones: `${tag}:tombstones`,
    entries: `${tag}:entries`,
    probe: `${tag}:probe`,
  };
}

/** The sorted set of the sessions with a label, by last change. */
export function labelKey({ tag }: PartitionKeys, name: string, value: string): string {
  return `${tag}:label:${JSON.stringify([name, value])}`;
}

/** The sorted set of the forks of a session, by last change. */
export function parentKey({ tag }: PartitionKeys, parent: string): string {
  return `${tag}:parent:${parent}`;
}

/** Rows of a session that does not exist yet. */
export function stagedKey({ tag }: PartitionKeys, nonce: string): string {
  return `${tag}:staged:${nonce}`;
}

/** What a store instance writes behind commits, so that replicas have something to confirm. */
export function markKey({ tag }: PartitionKeys, instanceId: string): string {
  return `${tag}:mark:${instanceId}`;
}

/** A key of the index as the head of its partition counts it. */
export function suffixOf({ tag }: PartitionKeys, key: string): string {
  return key.slice(tag.length + 1);
}
