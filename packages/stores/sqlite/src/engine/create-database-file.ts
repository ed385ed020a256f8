import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { isThere } from "./database-path.js";
import { migrate } from "./migrations/migrate.js";

/**
 * Makes a database where there is none. It gets its name when it is complete, so that a process that is killed meanwhile
 * leaves nothing under that name, and an empty file there is known to be damage.
 */
export function createDatabaseFile(path: string): void {
  if (isThere(path)) return;
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    writeDatabase(draft);
    giveName(draft, path);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${draft}${suffix}`, { force: true });
  }
  syncFolder(folder);
}

/** Without a WAL, so that there is one file only. */
function writeDatabase(path: string): void {
  // Conversations are nobody else's business; SQLite gives its other files the same mode.
  closeSync(openSync(path, "wx", 0o600));
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
