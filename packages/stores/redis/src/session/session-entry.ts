import { Damage } from "@sessions/protocol/backend";
import {
  type HotState,
  type LoadedSession,
  loadSession,
  type MemoryCounts,
  NO_MAX_ID,
  type Run,
  type SessionRows,
  type StoredMessage,
  type StoredParts,
  type StoredSession,
} from "@sessions/row-engine";
import { LIMITS } from "../keys/fields.js";
import type { SessionHead } from "./session-head.js";
import type { UnusedRows } from "./unused-rows.js";

/** The state of a live session. It is the same for all revisions of one version, but for the rows that were appended. */
export interface SessionContent {
  readonly hot: HotState;
  readonly parts: StoredParts;
  /** Drafts as they are, by their rows. */
  readonly drafts: ReadonlyMap<number, StoredMessage>;
  readonly unused: UnusedRows;
}

/** What the index says of a session that is not there. */
export interface IndexRemains {
  /** Its entry; empty if there is none. */
  readonly entry: string;
  /** Whether the sets of the index have it. */
  readonly isIndexed: boolean;
  readonly endsAt: number | undefined;
  /** Whether the set of ids has lost members: then nobody can tell whether a session was ever there. */
  readonly isIncomplete: boolean;
}

export const NO_REMAINS: IndexRemains = {
  entry: "",
  isIndexed: false,
  endsAt: undefined,
  isIncomplete: false,
};

/** What the server said of a session at one moment. */
export interface SessionEntry {
  readonly id: string;
  /** The server's time at that moment. */
  readonly now: number;
  /** When the server was asked, on the monotonic clock: not later than that moment. */
  readonly askedAt: number;
  readonly head: SessionHead | undefined;
  readonly content: SessionContent | undefined;
  readonly remains: IndexRemains;
}

/** At a moment of the server that is not earlier: both clocks have moved on by the same. */
export function atLater({ now, askedAt }: SessionEntry, at: number): Pick<SessionEntry, "now" | "askedAt"> {
  const passed = Math.max(0, at - now);
  return { now: now + passed, askedAt: askedAt + passed };
}

/** The session as it is stored; `undefined` if there is none and none is remembered. Throws `Damage` if its keys do not fit together. */
function storedOf({ id, now, head, content, remains }: SessionEntry): StoredSession | undefined {
  if (head === undefined) {
    if (content !== undefined) throw new Damage(`the record of session ${id}`, "is not there");
    requireOver(id, remains.isIndexed, remains.endsAt, now);
    if (remains.isIncomplete && !remains.isIndexed)
      throw new Damage(
        `session ${id}`,
        "cannot be told from one that was never there: the index of its partition has lost sessions. Run: sessions doctor --fix",
      );
    return undefined;
  }
  if (head.deletedAt !== undefined) return tombstone(head, head.revision, head.deletedAt);
  if (content !== undefined) return live(head, content);
  requireOver(id, true, head.expiresAt, now);
  return tombstone(head, head.revision + 1, head.expiresAt ?? now);
}

/** Clocks differ after a failover: what is gone shortly before its end has expired. */
function requireOver(id: string, isExpected: boolean, endsAt: number | undefined, now: number): void {
  if (!isExpected || (endsAt !== undefined && endsAt <= now + LIMITS.EXPIRY_SLACK_MS)) return;
  throw new Damage(
    `session ${id}`,
    "is not there, though it was neither deleted nor has expired: it was evicted or removed",
  );
}

function live(head: SessionHead, { hot, parts }: SessionContent): StoredSession {
  const { revision, createdAt, updatedAt, expiresAt, nextRow } = head;
  return { status: "live", revision, createdAt, updatedAt, expiresAt, nextRow, hot, parts };
}

function tombstone({ given, generated }: SessionHead, revision: number, deletedAt: number): StoredSession {
  return { status: "deleted", revision, deletedAt, commits: given, generated: generatedCounts(generated) };
}

/** Generated ids are all in fields of their own, and none is known to be new without a look. */
export function generatedCounts(counts: MemoryCounts): HotState["generated"] {
  return { ...counts, maxId: NO_MAX_ID, newest: [] };
}

/** Puts the state together, read by `rows`. */
export function loadEntry(entry: SessionEntry, rows: SessionRows): LoadedSession | undefined {
  const stored = storedOf(entry);
  return stored && loadSession(stored, rows, `session ${entry.id}`);
}

/** The state of the same version at a later revision: nothing but rows was appended. */
export function grownContent(
  content: SessionContent,
  from: number,
  { nextRow, given, generated }: SessionHead,
): SessionContent {
  const { hot } = content;
  const appended: readonly Run[] = nextRow > from ? [{ from, to: nextRow }] : [];
  return {
    ...content,
    hot: {
      ...hot,
      head: appended.length === 0 ? hot.head : hot.head.concat(appended),
      commits: given,
      generated: generatedCounts(generated),
    },
  };
}
