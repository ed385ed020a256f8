const HOUR_MS = 3_600_000;

/** How much of a bounded memory is kept: an entry goes when it is both beyond `count` and older than `ms`. */
export interface Retention {
  readonly count: number;
  readonly ms: number;
}

/** Commit ids that callers chose: they may come again from anywhere, for as long as a queue or webhook re-sends. */
export const GIVEN_COMMIT_RETENTION: Retention = { count: 256, ms: 24 * HOUR_MS };

/** Generated commit ids: only the store that made one re-sends it, within its deadline. */
export const GENERATED_COMMIT_RETENTION: Retention = { count: 4096, ms: 0 };

/** Finished turns: as long as the commit ids that callers chose, and for the same reason. */
export const FINISHED_TURN_RETENTION: Retention = { ...GIVEN_COMMIT_RETENTION };

/** How long a deleted or expired session is remembered by its tombstone. */
export const TOMBSTONE_MS: number = 7 * 24 * HOUR_MS;
