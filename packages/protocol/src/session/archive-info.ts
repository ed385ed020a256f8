/** Where an archive's summary stands. A failed one hides nothing and may be settled again. */
export type ArchiveSummary =
  | { readonly status: "pending" }
  | { readonly status: "done"; readonly text: string; readonly settledAt: number }
  | {
      readonly status: "failed";
      readonly error: string;
      readonly attempts: number;
      readonly settledAt: number;
    };

/** A run of messages that left the live view together. Archives lie before the live messages, oldest first. */
export interface ArchiveInfo {
  readonly id: string;
  readonly createdAt: number;
  readonly messageCount: number;
  readonly firstMessageId: string;
  readonly lastMessageId: string;
  readonly summary: ArchiveSummary;
}
