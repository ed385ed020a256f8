/** The state of an archive's summary. A failed one hides no message and may be settled again. */
export type ArchiveSummary =
  | { readonly status: "pending" }
  | { readonly status: "done"; readonly text: string; readonly settledAt: number }
  | {
      readonly status: "failed";
      readonly error: string;
      readonly attempts: number;
      readonly settledAt: number;
    };

/** Consecutive messages that were archived together. Archives come before the live messages, oldest first. */
export interface ArchiveInfo {
  readonly id: string;
  readonly createdAt: number;
  readonly messageCount: number;
  readonly firstMessageId: string;
  readonly lastMessageId: string;
  readonly summary: ArchiveSummary;
}
