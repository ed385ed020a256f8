import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { takesNothingNew } from "../error-mapping.js";
import { isThere } from "./database-path.js";
import { isMissing } from "./is-missing.js";
import { makeFolders } from "./make-folders.js";
import { migrate } from "./migrations/migrate.js";

/**
 * Makes a database where there is none. It gets its name when it is complete, so that a process that is killed meanwhile
 * leaves nothing under that name, and an empty file there is known to be damage.
 */
export function createDatabaseFile(path: string): void {
  if (isThere(path)) return;
  const folder = dirname(path);
  makeFolders(folder, 0o700);
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    makeEmptyFile(draft, path);
    migrateDraft(draft);
    giveName(draft, path);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${draft}${suffix}`, { force: true });
  }
  syncFolder(folder);
}

function makeEmptyFile(draft: string, path: string): void {
  try {
    // Conversations are nobody else's business; SQLite gives its other files the same mode.
    closeSync(openSync(draft, "wx", 0o600));
  } catch (error) {
    const folder = dirname(path);
    throw isMissing(error) && existsSync(folder) ? takesNothingNew(folder, path, error) : error;
  }
}

/** Without a WAL, so that there is one file only. */
function migrateDraft(path: string): void {
  const db = new Database(path);
  try {
    db.pragma("synchronous = FULL");
    migrate(db);
  } finally {
    db.close();
  }
}

/** Fails where the name is taken: whoever was faster has made the same. */
function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isThere(path)) throw error;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
