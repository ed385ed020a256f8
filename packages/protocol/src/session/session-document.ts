import type { Json } from "../json/json.js";
import type { Message } from "../message/message.js";
import type { ArchiveInfo } from "./archive-info.js";
import type { SessionFields } from "./session-fields.js";
import type { SnapshotInfo } from "./snapshot-info.js";
import type { LastTurn } from "./turn-info.js";

/** What a session remembers of a commit, so that a repeat gets the first answer. */
export interface CommitMemory {
  readonly id: string;
  /** Of the caller's request; absent for generated commit ids, which nobody can reuse. */
  readonly digest?: string;
  readonly revision: number;
  readonly at: number;
  /** Ids of messages in the request that the session held already. */
  readonly skipped?: readonly string[];
  /** What the caller was told beyond the revision, where it cannot be derived again. */
  readonly receipt?: Json;
}

/** What a session remembers of a finished turn, so that it is not run again. */
export interface TurnMemory {
  readonly id: string;
  readonly revision: number;
  readonly at: number;
}

/** A bounded memory, oldest first. */
export interface MemoryDocument<Entry> {
  readonly entries: readonly Entry[];
  /** The time of the newest entry that was forgotten: what is as old as that can no longer be judged. */
  readonly horizon: number;
}

/** A snapshot with its content. It begins with the first `shared` messages of the session that holds it. */
export interface SnapshotDocument extends SnapshotInfo {
  readonly shared: number;
  readonly messages: readonly Message[];
  /** The revision that added each of `messages`. */
  readonly revisions: readonly number[];
  readonly archives: readonly ArchiveInfo[];
}

/**
 * A whole session as one JSON value: what forks, bundles and migrations carry. A running turn is not part of it:
 * a lease cannot move house.
 */
export interface SessionDocument extends SessionFields {
  /** All that the session holds, in order: the archived ones first, then the live ones. */
  readonly messages: readonly Message[];
  /** The revision that added each of `messages`. */
  readonly revisions: readonly number[];
  /**
   * The revision of the last commit that removed, replaced, updated or restored messages; 0 if none has. A document of
   * an older version does not say: then it counts as rewritten at its own revision.
   */
  readonly rewrittenAt?: number;
  readonly archives: readonly ArchiveInfo[];
  readonly snapshots: readonly SnapshotDocument[];
  readonly lastTurn?: LastTurn;
  readonly finishedTurns: MemoryDocument<TurnMemory>;
  readonly commits: MemoryDocument<CommitMemory>;
}
