/** Consecutive messages: live ones, or those of an archive. Unknown ids fail with MESSAGE_NOT_FOUND. */
export interface MessageRange {
  /** The messages of this archive instead of the live ones (ARCHIVE_NOT_FOUND). */
  readonly archive?: string;
  /** Only messages after this one. An archived message is before all live ones. */
  readonly after?: string;
  /** Only messages before this one. */
  readonly before?: string;
  /** At most this many: the newest of them. */
  readonly last?: number;
}

/** Which messages a read returns. `ids`: those that the session has, live or archived, in the order of the ids. */
export type MessageSelection = "none" | "all" | MessageRange | { readonly ids: readonly string[] };

/** What a read returns. */
export interface Selection {
  readonly messages: MessageSelection;
  /** Also returns the revision that added each message. */
  readonly revisions?: boolean;
  /** Read by a timer or a waiting loop, not for a caller: a DATA_LOST that it meets must still be reported to a caller. */
  readonly background?: boolean;
}
