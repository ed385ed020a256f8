import type { CommitMemory, TurnMemory } from "@sessions/protocol/backend";
import type { Runs } from "../runs/runs.js";
import type { StoredMessage } from "./stored-message.js";

/** What a session remembers by an id: commits whose ids callers chose, commits with generated ids, finished turns. */
export interface MemoryEntries {
  readonly commit: CommitMemory;
  readonly generated: CommitMemory;
  readonly turn: TurnMemory;
}

export type MemoryKind = keyof MemoryEntries;

/** Entries with a smaller number than `n` that are not younger than `at`. */
export interface ForgetLimit {
  readonly n: number;
  readonly at: number;
}

/**
 * How the engine reads the rows of one session, as they are at the version that the session was loaded at. A store that
 * cannot answer at once throws `ReadRequired`. A row that is missing or wrong is `Damage`.
 */
export interface SessionRows {
  message(row: number): StoredMessage;
  messages(runs: Runs): readonly StoredMessage[];
  /** The rows that hold a message with this id, also those that the session no longer refers to. */
  rowsOf(messageId: string): Iterable<number>;
  remembered<Kind extends MemoryKind>(kind: Kind, id: string): MemoryEntries[Kind] | undefined;
  /** All stored entries, oldest first. */
  allRemembered<Kind extends MemoryKind>(kind: Kind): readonly MemoryEntries[Kind][];
  /** How many entries may be forgotten, and the time of the newest of them. */
  forgettable(kind: MemoryKind, limit: ForgetLimit): { readonly count: number; readonly newestAt: number };
}
