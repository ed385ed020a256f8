import { SessionError } from "@sessions/protocol";
import { hasCode } from "../engine/has-code.js";

/**
 * Whether a failure concerns one session only: damage, or a refusal of the operating system at the session's own files. A
 * lack of handles or of memory is not of it, and must not pass for a session that cannot be read.
 */
export function isOfOneSession(error: unknown): error is SessionError {
  if (SessionError.is(error, "SESSION_CORRUPTED")) return true;
  return SessionError.is(error, "STORE_UNAVAILABLE") && isRefusal(error.cause);
}

/** Whether the operating system refuses a file, or cannot read it from the disk. */
export function isRefusal(error: unknown): boolean {
  return hasCode(error, "EACCES", "EPERM", "EIO");
}
