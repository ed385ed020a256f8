import { type LiveState, type Parent, parseStored } from "@sessions/protocol/backend";
import { LIMITS } from "../keys/fields.js";
import { labelKey, type PartitionKeys, parentKey } from "../keys/keys.js";
import type { IndexRemains, SessionEntry } from "../session/session-entry.js";

/** What is done with a session's member in one sorted set of the index. */
export interface SetChange {
  readonly key: string;
  readonly action: "add" | "touch" | "remove";
  readonly score: number;
}

/** What the index has of a session. */
interface Indexed {
  /** Absent where it is not known: then the score is written. */
  readonly updatedAt?: number | undefined;
  readonly createdAt?: number | undefined;
  readonly endsAt: number | undefined;
  readonly labelled: IndexEntry;
}

/** What the index is told of a session beside its times: the entry. */
export interface IndexEntry {
  readonly labels?: Readonly<Record<string, string>>;
  readonly parent?: string;
  /** Whether every use moves its end. */
  readonly renews?: true;
}

const NO_ENTRY: IndexEntry = {};

/** The entry of a session; empty if it has neither labels nor parent, and its end does not move. */
export function indexEntryText({ labels, parent, renewOnUse }: LiveState): string {
  const hasLabels = Object.keys(labels).length > 0;
  if (!hasLabels && parent === undefined && renewOnUse !== true) return "";
  const entry: IndexEntry = {
    ...(hasLabels ? { labels } : {}),
    ...(parent === undefined ? {} : { parent: parent.sessionId }),
    ...(renewOnUse === true ? { renews: true } : {}),
  };
  return JSON.stringify(entry);
}

export function readIndexEntry(text: string, location: string): IndexEntry {
  return text === "" ? NO_ENTRY : parseStored<IndexEntry>(text, location);
}

/** The sets that plain appends touch beside `recent`, in the order in which append.lua takes them. */
export function appendedSets(
  partition: PartitionKeys,
  {
    labels,
    parent,
    renewOnUse,
  }: Pick<LiveState, "labels"> & {
    readonly parent: Parent | undefined;
    readonly renewOnUse: boolean | undefined;
  },
): readonly string[] {
  const sets = labelSets(partition, { labels, parent: parent?.sessionId });
  return renewOnUse === true ? [partition.ends, ...sets] : sets;
}

export function labelSets(
  partition: PartitionKeys,
  { labels = {}, parent }: { readonly labels?: IndexEntry["labels"]; readonly parent?: string | undefined },
): readonly string[] {
  const sets = Object.entries(labels).map(([name, value]) => labelKey(partition, name, value));
  return parent === undefined ? sets : [...sets, parentKey(partition, parent)];
}

/** What a commit changes in the sets of the index. */
export function setChanges(
  partition: PartitionKeys,
  entry: SessionEntry,
  before: LiveState | undefined,
  after: { readonly live?: LiveState; readonly deletedAt?: number },
): readonly SetChange[] {
  const indexed = before === undefined ? remaining(entry.remains) : indexedOf(before);
  const changes = new SetChanges(partition, indexed, after.live && indexedOf(after.live)).changes();
  const wasTombstone = entry.head?.deletedAt !== undefined;
  const { tombstones } = partition;
  if (after.deletedAt !== undefined)
    changes.push({ key: tombstones, action: "add", score: after.deletedAt + LIMITS.TOMBSTONE_MS });
  else if (wasTombstone) changes.push({ key: tombstones, action: "remove", score: 0 });
  return changes;
}

function indexedOf(state: LiveState): Indexed {
  const { updatedAt, createdAt, expiresAt: endsAt, labels, parent } = state;
  return { updatedAt, createdAt, endsAt, labelled: { labels, ...(parent && { parent: parent.sessionId }) } };
}

/** A session that has expired, and that nobody has cleared away. */
function remaining({ entry, isIndexed, endsAt }: IndexRemains): Indexed | undefined {
  return isIndexed ? { endsAt, labelled: readIndexEntry(entry, "entries") } : undefined;
}

class SetChanges {
  readonly #partition: PartitionKeys;
  readonly #before: Indexed | undefined;
  readonly #after: Indexed | undefined;
  readonly #changes: SetChange[] = [];

  constructor(partition: PartitionKeys, before: Indexed | undefined, after: Indexed | undefined) {
    this.#partition = partition;
    this.#before = before;
    this.#after = after;
  }

  changes(): SetChange[] {
    const { recent, created, ids, ends } = this.#partition;
    const before = this.#before;
    const after = this.#after;
    const has = (indexed: Indexed | undefined): number | undefined => (indexed === undefined ? undefined : 0);
    this.#set(recent, before && (before.updatedAt ?? Number.NaN), after?.updatedAt);
    this.#set(created, before && (before.createdAt ?? Number.NaN), after?.createdAt);
    this.#set(ids, has(before), has(after));
    this.#set(ends, before?.endsAt, after?.endsAt);
    const setsBefore = new Set(labelSets(this.#partition, before?.labelled ?? NO_ENTRY));
    const setsAfter = new Set(labelSets(this.#partition, after?.labelled ?? NO_ENTRY));
    for (const key of setsAfter)
      this.#set(key, setsBefore.has(key) ? (before?.updatedAt ?? Number.NaN) : undefined, after?.updatedAt);
    for (const key of setsBefore) if (!setsAfter.has(key)) this.#set(key, 0, undefined);
    return this.#changes;
  }

  /** From one score to another; none where the session is not in the set. */
  #set(key: string, before: number | undefined, after: number | undefined): void {
    if (before === after) return;
    if (after === undefined) this.#changes.push({ key, action: "remove", score: 0 });
    else this.#changes.push({ key, action: before === undefined ? "add" : "touch", score: after });
  }
}
