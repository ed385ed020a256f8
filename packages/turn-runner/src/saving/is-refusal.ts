import { SessionError } from "@sessions/protocol";

/** Whether the store refuses a commit because of its content. Nothing of it is stored. */
export function isRefusal(error: unknown): boolean {
  return SessionError.is(error, "INVALID_ARGUMENT", "TOO_LARGE", "MESSAGE_ID_TAKEN", "MESSAGE_NOT_FOUND");
}
