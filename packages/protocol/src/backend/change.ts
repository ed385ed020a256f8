/** One session, or all of a store; from now on, or from a point before. */
export interface WatchTarget {
  readonly session?: string | undefined;
  /** For one session: the revision that is known already. For the store: the `cursor` of a change. */
  readonly since?: number | string | undefined;
}

/** A session has reached a revision. Changes are coalesced; the last one is always delivered. */
export interface Change {
  readonly sessionId: string;
  readonly revision: number;
  readonly at: number;
  readonly deleted?: boolean;
  /** Opaque; `watch({ since: cursor })` goes on after this change. */
  readonly cursor: string;
}
