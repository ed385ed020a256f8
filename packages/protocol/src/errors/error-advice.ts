import type { ErrorCode } from "./error-details.js";

/** What an error code says about the failed call. */
export interface ErrorAdvice {
  /** Whether the failed call may have changed anything: `nothing`, or `perhaps` if that is unknown. */
  readonly changed: "nothing" | "perhaps";
  /**
   * Which retry can succeed: the `same-call`; the same call with the error's commit id (`same-commit-id`); a call that is
   * decided again after a read (`new-call`); or none, without a change of code or data (`never`).
   */
  readonly retry: "same-call" | "same-commit-id" | "new-call" | "never";
}

/** The advice for every code. The guide to errors is checked against it. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  INVALID_ARGUMENT: { changed: "nothing", retry: "never" },
  TOO_LARGE: { changed: "nothing", retry: "never" },
  SESSION_NOT_FOUND: { changed: "nothing", retry: "never" },
  SESSION_EXISTS: { changed: "nothing", retry: "never" },
  MESSAGE_NOT_FOUND: { changed: "nothing", retry: "never" },
  SNAPSHOT_NOT_FOUND: { changed: "nothing", retry: "never" },
  ARCHIVE_NOT_FOUND: { changed: "nothing", retry: "never" },
  MESSAGE_ID_TAKEN: { changed: "nothing", retry: "never" },
  COMMIT_ID_REUSED: { changed: "nothing", retry: "never" },
  REVISION_CONFLICT: { changed: "nothing", retry: "new-call" },
  TURN_BUSY: { changed: "nothing", retry: "same-call" },
  TURN_LOST: { changed: "nothing", retry: "never" },
  STORE_BUSY: { changed: "nothing", retry: "same-call" },
  STORE_UNAVAILABLE: { changed: "nothing", retry: "same-call" },
  STORE_FULL: { changed: "nothing", retry: "same-call" },
  OUTCOME_UNKNOWN: { changed: "perhaps", retry: "same-commit-id" },
  SESSION_CORRUPTED: { changed: "nothing", retry: "never" },
  DATA_LOST: { changed: "perhaps", retry: "never" },
  SCHEMA_MISMATCH: { changed: "nothing", retry: "never" },
  FORMAT_UNSUPPORTED: { changed: "nothing", retry: "never" },
  STORE_CLOSED: { changed: "nothing", retry: "never" },
};
