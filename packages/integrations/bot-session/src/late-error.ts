import { SessionError } from "@sessions/protocol";

/** The error of an update, or of a function of the user, that took too long. */
export function lateError(deadlineMs: number, sessionId?: string): SessionError {
  const message = `There was no answer within ${deadlineMs} ms. It may be tried again.`;
  return SessionError.of("TURN_LOST", message, {
    ...(sessionId === undefined ? {} : { sessionId }),
    reason: "expired",
  });
}

export function isLate(error: unknown): boolean {
  return SessionError.is(error, "TURN_LOST") && error.reason === "expired";
}
