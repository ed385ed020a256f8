import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { Damage, SessionError } from "@sessions/protocol/backend";
import Database from "better-sqlite3";
import { SCHEMA_VERSION } from "./engine/migrations/migrations.js";

/** By how much SQLite extends the index of a WAL at once. */
const WAL_INDEX_STEP_BYTES = 32_768;

/** Whether SQLite failed with one of these codes, or with an extended form of it. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Database.SqliteError)) return false;
  return codes.some((code) => error.code === code || error.code.startsWith(`${code}_`));
}

export function isBusy(error: unknown): boolean {
  return hasCode(error, "SQLITE_BUSY", "SQLITE_LOCKED");
}

/** Whether what is stored is to blame, and not the disk or the caller. */
export function isDamage(error: unknown): boolean {
  return error instanceof Damage || hasCode(error, "SQLITE_CORRUPT", "SQLITE_NOTADB");
}

/** What went wrong, as callers see it. With a session's id, damage is the damage of that session. */
export function asSessionError(error: unknown, path: string, sessionId?: string): unknown {
  if (SessionError.is(error)) return error;
  if (isDamage(error))
    return sessionId === undefined ? damagedFile(error, path) : corrupted(error, path, sessionId);
  if (isBusy(error)) return busy(path, 0);
  if (hasCode(error, "SQLITE_FULL")) return noRoom(path, error);
  // The index of the WAL could not grow. SQLite does not say whether there was no room for it.
  if (hasCode(error, "SQLITE_IOERR_SHMSIZE") && isFull(path)) return noRoom(path, error);
  if (!(error instanceof Database.SqliteError) && !isClosedConnection(error)) return error;
  if (hasCode(error, "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")) {
    const message = `This process may not write to ${path}. Check its owner, its mode and that of its folder.`;
    return SessionError.of("STORE_UNAVAILABLE", message, { sessionId, cause: error, retryable: false });
  }
  // SQLite says CANTOPEN for a lack of file handles too, which may pass.
  const message = hasCode(error, "SQLITE_CANTOPEN")
    ? `SQLite cannot open ${path} or a file beside it. Check its owner, its mode, that of its folder, and how many files this process has open.`
    : `SQLite failed at ${path}; see the cause.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { sessionId, cause: error });
}

/** Whether there is less room than the index of the WAL needs to grow. */
function isFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < WAL_INDEX_STEP_BYTES;
}

function isClosedConnection(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes("database connection");
}

export function corrupted(error: unknown, path: string, sessionId: string): SessionError {
  const location = error instanceof Damage ? `${path}, ${error.location}` : path;
  const problem = error instanceof Error ? error.message : String(error);
  return SessionError.of(
    "SESSION_CORRUPTED",
    `${location}: ${problem}. Nothing was changed. Keep the file, and restore the session from a backup.`,
    { sessionId, location, cause: error },
  );
}

function damagedFile(cause: unknown, path: string): SessionError {
  const message = hasCode(cause, "SQLITE_NOTADB")
    ? `${path} is not an SQLite database, or its beginning is damaged. Nothing was changed. Name another file; if this one held sessions, keep it with its -wal file, and restore a backup.`
    : `${path} is damaged. Nothing was changed. Keep it with its -wal file, and restore a backup, or salvage what can be read with \`sqlite3 ${path} .recover\`.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { cause, retryable: false });
}

export function busy(path: string, waitedMs: number): SessionError {
  const message = `Other writers held ${path} for ${Math.round(waitedMs)} ms. Nothing was written. Try again.`;
  return SessionError.of("STORE_BUSY", message, { waitedMs });
}

export function noRoom(path: string, cause: unknown): SessionError {
  const message = `There is no room left for ${path}. Nothing was changed. Make room and try again.`;
  return SessionError.of("STORE_FULL", message, { cause });
}

export function tooManyLogs(): SessionError {
  return SessionError.of("STORE_FULL", "This database has had 134 million sessions. Begin another one.", {});
}

/** A folder that is there and refuses what is new, as those of a virtual file system do. */
export function takesNothingNew(folder: string, path: string, cause: unknown): SessionError {
  const message = `${path} cannot be made: ${folder} takes no new files or folders. Name a file elsewhere.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { cause, retryable: false });
}

/** A link on the path of a database, where its folder should be. */
export function leadsNowhere(path: string): SessionError {
  const message = `${path} is a link that leads nowhere. Put back what it led to, or name a file elsewhere.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { retryable: false });
}

/** The disk did not confirm a transaction: it may come back after a crash. */
export function unconfirmed(path: string, cause: unknown): SessionError {
  const message = `The disk did not confirm a write to ${path}. The same call again is safe, and tells what became of it.`;
  return SessionError.of("OUTCOME_UNKNOWN", message, { commitId: "", cause });
}

export function newerFormat(found: number, supported: number = SCHEMA_VERSION): SessionError {
  const message = `The database has schema version ${found}; this package knows ${supported}. Update @sessions/sqlite to use it.`;
  return SessionError.of("FORMAT_UNSUPPORTED", message, { found, supported });
}

/** Written by a version of this package from before its first release. */
export function unreleasedFormat(path: string, found: number, supported: number): SessionError {
  const message = `${path} has schema version ${found}, which was never released; this package reads version ${supported}. Export its sessions with the version that wrote it, and import them into a new database.`;
  return SessionError.of("FORMAT_UNSUPPORTED", message, { found, supported });
}

export function foreignDatabase(path: string): SessionError {
  const message = `${path} holds tables of something else. Give the store a database of its own.`;
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options" });
}

export function logIsFull(): SessionError {
  const message =
    "This session has had 67 million messages; there is no room for more. Go on in a fork of it.";
  return SessionError.of("STORE_FULL", message, {});
}
