import type { OptionNames } from "../arguments/options.js";

/** What to watch: one session or the whole store, from now on or from an earlier point. */
export interface WatchTarget {
  readonly session?: string | undefined;
  /** For one session: the last revision that the caller has seen. For the store: the `cursor` of a change. */
  readonly since?: number | string | undefined;
}

export const WATCH_TARGET: OptionNames<WatchTarget> = { session: true, since: true };

/** A session has reached a revision. Changes are coalesced. The last one is always delivered. */
export interface Change {
  readonly sessionId: string;
  readonly revision: number;
  readonly at: number;
  readonly deleted?: boolean;
  /**
   * Opaque. `watch({ since: cursor })` continues after this change. It never skips a change, even if the clock was set. It
   * may repeat changes: all of them if the cursor is too old or belongs to another store.
   */
  readonly cursor: string;
  /**
   * Present with the first change after a cursor that is too old or belongs to another store: sessions that were deleted since may never be
   * mentioned. What was derived from earlier changes has to be read anew.
   */
  readonly reset?: boolean;
}
