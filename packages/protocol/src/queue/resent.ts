import type { CommitRequest } from "../backend/commit-request.js";
import type { ErrorCode } from "../errors/error-details.js";
import { SessionError } from "../errors/session-error.js";
import type { Clock } from "../platform/clock.js";

/**
 * Codes that result from evaluating a request against a session. The commit-id window is checked first, so each of them
 * also shows that no earlier attempt of the same request was applied.
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

/** Whether a failed attempt may have been applied. An error that is no `SessionError` says nothing about it. */
export function mayBeApplied(error: unknown): boolean {
  return !SessionError.is(error) || SessionError.is(error, "OUTCOME_UNKNOWN");
}

/** Whether this refusal of a repeated request shows that the first attempt was not applied. */
export function isEvaluated(error: unknown): boolean {
  return SessionError.is(error, ...EVALUATED);
}

/**
 * The same request, to be sent again. Its age counts from the time in the first attempt, because the commit-id window
 * compares that time. With a shorter age, a commit that the window has forgotten would count as new.
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
