import { SessionError } from "@sessions/protocol";

/** Whether a store's error may pass by itself, so that the same call may succeed a little later. */
export function isTransient(error: unknown): boolean {
  return (
    SessionError.is(error, "STORE_BUSY", "STORE_UNAVAILABLE", "OUTCOME_UNKNOWN", "STORE_FULL") &&
    error.retryable
  );
}
