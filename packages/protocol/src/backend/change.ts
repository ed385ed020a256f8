import type { OptionNames } from "../arguments/options.js";

/** One session, or all of a store; from now on, or from a point before. */
export interface WatchTarget {
  readonly session?: string | undefined;
  /** For one session: the revision that is known already. For the store: the `cursor` of a change. */
  readonly since?: number | string | undefined;
}

export const WATCH_TARGET: OptionNames<WatchTarget> = { session: true, since: true };

/** A session has reached a revision. Changes are coalesced; the last one is always delivered. */
export interface Change {
  readonly sessionId: string;
  readonly revision: number;
  readonly at: number;
  readonly deleted?: boolean;
  /**
   * Opaque; `watch({ since: cursor })` goes on after this change. It never skips a change, whatever the clock did
   * meanwhile, and may repeat some: all of them where the cursor is too old or of another store.
   */
  readonly cursor: string;
}
