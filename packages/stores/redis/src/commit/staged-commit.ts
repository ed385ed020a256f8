import type { StagedMessages } from "@sessions/row-engine";

/** Messages of a large commit that were written before it. */
export interface StagedCommit {
  /** A key of their own, which becomes the session; `undefined` where they are in the session itself. */
  readonly key: string | undefined;
  /** The life of the session that they were written to; `undefined` for a key of their own. */
  readonly life: string | undefined;
  readonly first: number;
  readonly messages: StagedMessages;
  /** The time of the commit: messages without a time have it already. */
  readonly at: number;
}
