const HOUR_MS = 3_600_000;

/** How much of a bounded memory is kept. An entry is dropped when it is both beyond `count` and older than `ms`. */
export interface Retention {
  readonly count: number;
  readonly ms: number;
}

/** Commit ids that callers chose. They may be sent again from any process, as long as a job queue or a webhook retries. */
export const GIVEN_COMMIT_RETENTION: Retention = { count: 256, ms: 24 * HOUR_MS };

/** Generated commit ids. Only the store that made one sends it again, within its deadline. */
export const GENERATED_COMMIT_RETENTION: Retention = { count: 4096, ms: 0 };

/** Finished turns are retried by the same job queues and webhooks, so they are kept as long. */
export const FINISHED_TURN_RETENTION: Retention = { ...GIVEN_COMMIT_RETENTION };

export const TOMBSTONE_MS: number = 7 * 24 * HOUR_MS;
