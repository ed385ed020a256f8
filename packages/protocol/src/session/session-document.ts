import type { Json } from "../json/json.js";
import type { Message } from "../message/message.js";
import type { ArchiveInfo } from "./archive-info.js";
import type { SessionFields } from "./session-fields.js";
import type { SnapshotInfo } from "./snapshot-info.js";
import type { LastTurn } from "./turn-info.js";

/** What a session remembers of a commit, so that the same commit sent again gets the same result. */
export interface CommitMemory {
  readonly id: string;
  /** The digest of the caller's request; absent for generated commit ids, which nobody can reuse. */
  readonly digest?: string;
  readonly revision: number;
  readonly at: number;
  /** Ids of messages in the request that the session had already. */
  readonly skipped?: readonly string[];
  /** The part of the caller's result that cannot be derived again. */
  readonly receipt?: Json;
}

/** What a session remembers of a completed turn, so that it does not run again. */
export interface TurnMemory {
  readonly id: string;
  readonly revision: number;
  readonly at: number;
}

/** A bounded memory, oldest entry first. */
export interface MemoryDocument<Entry> {
  readonly entries: readonly Entry[];
  /** The time of the newest forgotten entry. It is unknown whether there was an entry that old. */
  readonly horizon: number;
}

/** A snapshot with its content. It begins with the first `shared` messages of its session. */
export interface SnapshotDocument extends SnapshotInfo {
  readonly shared: number;
  readonly messages: readonly Message[];
  /** The revision that added each of `messages`. */
  readonly revisions: readonly number[];
  readonly archives: readonly ArchiveInfo[];
}

/**
 * A whole session as one JSON value, for forks, bundles and migrations. A running turn is not part of it: a lease cannot be
 * moved to another session.
 */
export interface SessionDocument extends SessionFields {
  /** All messages, in order: the archived ones first, then the live ones. */
  readonly messages: readonly Message[];
  /** The revision that added each of `messages`. */
  readonly revisions: readonly number[];
  /**
   * The revision of the last commit that removed, replaced, updated or restored messages; 0 if there was none. Documents of
   * older versions do not have it, and count as rewritten at their own revision.
   */
  readonly rewrittenAt?: number;
  readonly archives: readonly ArchiveInfo[];
  readonly snapshots: readonly SnapshotDocument[];
  readonly lastTurn?: LastTurn;
  readonly finishedTurns: MemoryDocument<TurnMemory>;
  readonly commits: MemoryDocument<CommitMemory>;
}
