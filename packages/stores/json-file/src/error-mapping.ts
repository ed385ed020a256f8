import { SessionError } from "@sessions/protocol";
import { Damage, JOURNAL_VERSION, NewerJournal } from "./fold.js";

/** Every failure of the file system or of a journal as the error that callers know. */
export function asSessionError(error: unknown, sessionId: string | undefined, path: string): SessionError {
  if (SessionError.is(error)) return error;
  if (error instanceof Damage) return corrupted(sessionId, path, error);
  if (error instanceof NewerJournal) return newer(error.version, path);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") {
    return SessionError.of("STORE_FULL", `There is no room left for ${path}. Make room and try again.`, {
      sessionId,
      cause: error,
    });
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    const message = `This process may not write to ${path}. Check its owner, its mode and the mount.`;
    return SessionError.of("STORE_UNAVAILABLE", message, { sessionId, cause: error });
  }
  return SessionError.of("STORE_UNAVAILABLE", `The file system failed at ${path}; see the cause.`, {
    sessionId,
    cause: error,
  });
}

export function corrupted(sessionId: string | undefined, path: string, damage: Damage): SessionError {
  const location = `${path} at byte ${damage.offset}`;
  return SessionError.of(
    "SESSION_CORRUPTED",
    `${location}: ${damage.message}. Nothing was changed. Keep the file, and restore the session from a copy.`,
    { sessionId, location, cause: damage },
  );
}

export function newer(found: number, path: string): SessionError {
  return SessionError.of("FORMAT_UNSUPPORTED", `${path} was written by a newer version. Update to use it.`, {
    found,
    supported: JOURNAL_VERSION,
  });
}
