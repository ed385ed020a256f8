import type { GeneratedCounts, MemoryCounts } from "../memory/memory-counts.js";
import type { HotState } from "./hot-state.js";
import type { StoredParts } from "./stored-parts.js";

/** A live session as it is stored, beside the rows of its messages and of what it remembers. */
export interface StoredLive {
  readonly status: "live";
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | undefined;
  /** The first row that was never used. */
  readonly nextRow: number;
  readonly hot: HotState;
  readonly parts: StoredParts;
}

/** What is stored of a deleted or expired session. */
export interface StoredTombstone {
  readonly status: "deleted";
  readonly revision: number;
  readonly deletedAt: number;
  readonly commits: MemoryCounts;
  readonly generated: GeneratedCounts;
}

export type StoredSession = StoredLive | StoredTombstone;
