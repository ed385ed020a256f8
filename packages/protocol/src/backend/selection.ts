/** A run of messages: the live ones, or those of an archive. Unknown ids fail with MESSAGE_NOT_FOUND. */
export interface MessageRange {
  /** The messages of this archive instead of the live ones (ARCHIVE_NOT_FOUND). */
  readonly archive?: string;
  /** Only those after this message. An archived one is before all live ones. */
  readonly after?: string;
  /** Only those before this message. */
  readonly before?: string;
  /** At most so many, the newest of them. */
  readonly last?: number;
}

/** Which messages a read returns. `ids`: those of them that the session holds, live or archived, in the asked order. */
export type MessageSelection = "none" | "all" | MessageRange | { readonly ids: readonly string[] };

/** What a read returns. */
export interface Selection {
  readonly messages: MessageSelection;
  /** With the revision that added each of them. */
  readonly revisions?: boolean;
  /** Read by a timer or a waiting loop, not for a caller: a loss that it meets (DATA_LOST) still has to reach a caller. */
  readonly background?: boolean;
}
