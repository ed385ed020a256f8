import type { StagedMessages } from "@sessions/row-engine";

/** Messages of one session that were written before the commit that brings them. */
export interface StagedRows {
  readonly log: number;
  /** Whether the log was made for them. No session owns it yet. */
  readonly isNewLog: boolean;
  readonly messages: StagedMessages;
}
