import { Damage, SessionError } from "@sessions/protocol/backend";
import { hasCode } from "./engine/has-code.js";
import { JOURNAL_VERSION } from "./session/lines/journal-line.js";

/** A failure of the file system or of a journal, as the error that callers get. */
export function asSessionError(error: unknown, sessionId: string | undefined, path: string): SessionError {
  if (SessionError.is(error)) return error;
  if (error instanceof Damage) return corrupted(sessionId, error);
  if (hasCode(error, "ENOSPC", "EDQUOT", "EFBIG")) return storeFull(path, error);
  if (hasCode(error, "EACCES", "EPERM", "EROFS")) {
    const message = `This process may not write to ${path}. Check its owner, its mode and the mount.`;
    return SessionError.of("STORE_UNAVAILABLE", message, { sessionId, cause: error });
  }
  return SessionError.of("STORE_UNAVAILABLE", `The file system failed at ${path}; see the cause.`, {
    sessionId,
    cause: error,
  });
}

function corrupted(sessionId: string | undefined, damage: Damage): SessionError {
  const { location } = damage;
  return SessionError.of(
    "SESSION_CORRUPTED",
    `${location}: ${damage.message}. Nothing was changed. Keep the file, and restore the session from a copy.`,
    { sessionId, location, cause: damage },
  );
}

export function newerFormat(found: number, path: string): SessionError {
  return SessionError.of("FORMAT_UNSUPPORTED", `${path} was written by a newer version. Update to use it.`, {
    found,
    supported: JOURNAL_VERSION,
  });
}

export function storeFull(path: string, cause?: unknown): SessionError {
  const message = `There is no room left for ${path}. Nothing was changed. Make room and try again.`;
  return SessionError.of("STORE_FULL", message, { cause });
}

export function storeBusy(path: string, waitedMs: number): SessionError {
  const message = `Other writers of ${path} were faster for ${Math.round(waitedMs)} ms. Nothing was written. Try again.`;
  return SessionError.of("STORE_BUSY", message, { waitedMs });
}

export function outcomeUnknown(path: string, cause: unknown): SessionError {
  const message = `The disk did not confirm a write to ${path}. The same call again is safe, and tells what became of it.`;
  return SessionError.of("OUTCOME_UNKNOWN", message, { commitId: "", cause });
}

export function diskUnusable(path: string, cause: unknown): SessionError {
  const message = `The disk did not confirm a write to ${path}, and there is no going on elsewhere. See to the disk, and try again.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { cause });
}

/** A folder that is there and refuses a new one, as those of a virtual file system do. */
export function takesNoFolders(parent: string, path: string, cause: unknown): SessionError {
  const message = `${path} cannot be made: ${parent} takes no new folders. Name a folder elsewhere.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { cause, retryable: false });
}

/** Never read as an empty store: a new folder in its place would hide all sessions. */
export function sessionsMissing(path: string): SessionError {
  const message = `${path} is missing. Nothing was changed. Restore that folder; to begin with no sessions, remove the whole store first.`;
  return SessionError.of("STORE_UNAVAILABLE", message, {});
}

export function formatMissing(path: string): SessionError {
  const message = `${path} is missing, and there are sessions. Nothing was changed. Restore that file, or put {"format":"sessions-json-file","version":${JOURNAL_VERSION}} there if no newer version has written to this store.`;
  return SessionError.of("STORE_UNAVAILABLE", message, {});
}
