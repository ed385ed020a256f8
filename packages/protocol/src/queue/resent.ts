import type { CommitRequest } from "../backend/commit-request.js";
import type { ErrorCode } from "../errors/error-details.js";
import { SessionError } from "../errors/session-error.js";
import type { Clock } from "../platform/clock.js";

/**
 * Codes that come out of evaluating a request against a session. The commit-id window is asked first, so each of these
 * also shows that no earlier sending of the same request was applied.
 */
const EVALUATED: readonly ErrorCode[] = [
  "INVALID_ARGUMENT",
  "SESSION_NOT_FOUND",
  "SESSION_EXISTS",
  "REVISION_CONFLICT",
  "COMMIT_ID_REUSED",
  "MESSAGE_ID_TAKEN",
  "MESSAGE_NOT_FOUND",
  "SNAPSHOT_NOT_FOUND",
  "ARCHIVE_NOT_FOUND",
  "TURN_BUSY",
  "TURN_LOST",
  "TOO_LARGE",
];

/** Whether a failed sending may have been applied. An error that is no `SessionError` says nothing about it. */
export function mayBeApplied(error: unknown): boolean {
  return !SessionError.is(error) || SessionError.is(error, "OUTCOME_UNKNOWN");
}

/** Whether this refusal of a second sending shows that the first one was not applied. */
export function isEvaluated(error: unknown): boolean {
  return SessionError.is(error, ...EVALUATED);
}

/**
 * The same request, sent again. Its age reaches back to the time that the first sending carried, which is the time that
 * the commit-id window compares: an age that is too short would let a forgotten commit pass for a new one.
 */
export function resent<Request extends CommitRequest>(
  request: Request,
  clock: Clock,
  firstSentAt: number,
): Request {
  const at = clock.now();
  return { ...request, at, ageMs: Math.max(clock.monotonic() - firstSentAt, at - request.at) };
}

/** The error for a commit that may have been applied. */
export function outcomeUnknown(
  request: Pick<CommitRequest, "id" | "sessionId">,
  cause: unknown,
): SessionError {
  return SessionError.of(
    "OUTCOME_UNKNOWN",
    `It is not known whether commit "${request.id}" was applied. The same call with this commitId is safe and tells.`,
    { commitId: request.id, sessionId: request.sessionId, cause },
  );
}
