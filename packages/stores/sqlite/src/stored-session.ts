import type { ArchiveInfo, Json, SessionState, Snapshot } from "@sessions/protocol/backend";
import type { Counted, CountedGenerated } from "./stored-memory.js";

/** Which part a metadata key is in, and what it says. */
export interface MetadataPart {
  readonly n: number;
  readonly value: Json;
}

/** Where the parts of a session are. */
export interface PartNumbers {
  readonly next: number;
  readonly metadata: ReadonlyMap<string, MetadataPart>;
  /** By the very objects in the session's state. */
  readonly archives: ReadonlyMap<ArchiveInfo, number>;
  readonly snapshots: ReadonlyMap<Snapshot, number>;
}

export const NO_PARTS: PartNumbers = {
  next: 1,
  metadata: new Map(),
  archives: new Map(),
  snapshots: new Map(),
};

export const NO_DRAFTS: ReadonlyMap<number, number> = new Map();

/** How much a session remembers. */
export interface CountedMemories {
  readonly commits: Counted;
  readonly turns: Counted;
  readonly generated: CountedGenerated;
}

/** The log that a session writes its messages to. */
export interface OwnLog {
  readonly id: number;
  readonly nextRow: number;
  readonly layout: number;
  readonly sharedUntil: number;
}

/** The JSON of a session's row, as far as an append leaves it as it is: it is kept, and not made again. */
export interface RowText {
  /** All that an append does not change: the beginning of the object, without its closing brace. */
  readonly steady: string;
  /** The generated commit ids that are not in the table yet, without brackets: an append adds one. */
  readonly newest: string;
}

/** A session as it is in the database: its state, whose messages are read when they are needed, and where all is. */
export interface StoredSession {
  readonly key: number;
  readonly id: string;
  /** Rises with every write. */
  readonly version: number;
  /** The version that last wrote a part; 0 where there are none. */
  readonly partsVersion: number;
  /** Its place among the changes of the store. */
  readonly change: number;
  readonly state: SessionState;
  /** Absent for what has ended. */
  readonly log?: OwnLog;
  readonly parts: PartNumbers;
  readonly counted: CountedMemories;
  readonly topId: string;
  /** The rows of messages that are still being written, and how many fragments each has. */
  readonly drafts: ReadonlyMap<number, number>;
  /** Where it was written by this store: a session that was only read does without. */
  readonly text: RowText | undefined;
}
