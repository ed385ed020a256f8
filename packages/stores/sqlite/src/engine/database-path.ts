import { lstatSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { SessionError } from "@sessions/protocol";

/** What would be taken for a folder named "sqlite:", or by SQLite for a URL. */
const STORE_URL = /^(?:file|sqlite):/i;

/** The absolute form of a path, if a database can have it. */
export function databasePath(path: unknown): string {
  if (typeof path !== "string" || path === "")
    throw unusable("options.path must be a string that names a file.");
  if (path.includes("\0")) throw unusable("options.path must not contain a NUL character.");
  if (path === ":memory:")
    throw unusable("A database in memory cannot be a durable store. Name a file, or use @sessions/memory.");
  if (STORE_URL.test(path))
    throw unusable(
      `options.path must be a path such as ./sessions.db, not a URL: ${path}. openStore of @sessions/config opens URLs.`,
    );
  return resolve(path);
}

/**
 * Whether there is a file at a path. Refuses what is there and cannot be a database. A failure to look is not an absence:
 * it is thrown.
 */
export function isThere(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    const message = `${path} is a link to a file that is not there. Put the file back, or remove the link.`;
    throw SessionError.of("STORE_UNAVAILABLE", message, { retryable: false });
  }
  if (stat.isDirectory()) throw unusable(`${path} is a folder. Name a file in it, such as sessions.db.`);
  if (stat.size === 0 && stat.isFile()) throw empty(path);
  return true;
}

/** An empty file is a database that was cut off, or one that never was. Only the owner knows. */
function empty(path: string): SessionError {
  const message = `${path} is empty. If it never held sessions, remove it and open the store again; otherwise restore a backup.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { retryable: false });
}

function unusable(message: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options.path" });
}
