/** Why a turn is over for its holder, or should stop. */
export type TurnLossReason = "taken-over" | "expired" | "interrupted" | "ended" | "session-gone" | "closed";

/** The structured fields of each error code. */
export interface ErrorDetails {
  /** An argument is wrong; `path` leads to it. Nothing was changed. */
  INVALID_ARGUMENT: { readonly path?: string };
  SESSION_NOT_FOUND: object;
  SESSION_EXISTS: object;
  /** The session is not at the revision that the caller expected. */
  REVISION_CONFLICT: { readonly expected: number; readonly actual: number };
  /** This commit id was used for another request. */
  COMMIT_ID_REUSED: { readonly commitId: string };
  /** The session holds another message with this id. */
  MESSAGE_ID_TAKEN: { readonly messageId: string };
  MESSAGE_NOT_FOUND: { readonly messageId: string };
  SNAPSHOT_NOT_FOUND: { readonly snapshot: string };
  ARCHIVE_NOT_FOUND: { readonly archiveId: string };
  /** Another turn is running, or others are first in the queue. */
  TURN_BUSY: { readonly turnId?: string; readonly owner?: string; readonly expiresAt?: number };
  /** The writer's turn is over. */
  TURN_LOST: { readonly turnId?: string; readonly reason?: TurnLossReason };
  /** Stored data is damaged. It was neither changed nor treated as absent. */
  SESSION_CORRUPTED: { readonly location?: string };
  /** What a typed session has read does not match its schema: this message, or the session's metadata. It is stored as it was written. */
  SCHEMA_MISMATCH: { readonly messageId?: string; readonly path: string };
  /** The data was written by a newer version. */
  FORMAT_UNSUPPORTED: { readonly found?: number; readonly supported?: number };
  TOO_LARGE: { readonly path?: string; readonly bytes?: number; readonly limit?: number };
  /** Other writers kept the store busy until the deadline. Nothing was changed. */
  STORE_BUSY: { readonly waitedMs?: number };
  /** The engine cannot be reached or used. Nothing was changed. */
  STORE_UNAVAILABLE: object;
  /** The commit may have been applied or not. The same call with `commitId` is safe and finds out. */
  OUTCOME_UNKNOWN: { readonly commitId: string };
  /** Data that was acknowledged is no longer there. */
  DATA_LOST: { readonly expected?: number; readonly actual?: number };
  /** There is no space left. Nothing was changed. */
  STORE_FULL: object;
  STORE_CLOSED: object;
}

/** Every code that a `SessionError` can have. Codes are stable. */
export type ErrorCode = keyof ErrorDetails;
