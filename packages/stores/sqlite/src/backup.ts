import { randomBytes } from "node:crypto";
import { existsSync, linkSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { SessionError } from "@sessions/protocol";
import type Database from "better-sqlite3";
import type { BackupOptions, BackupProgress } from "./backup-options.js";

const PAGES_AT_ONCE = 100;

/**
 * Copies a database while it is used. It gets its name when it is complete. Whatever another process commits makes
 * SQLite begin anew, so each time more is copied in one step.
 */
export async function backUp(db: Database.Database, path: string, options: BackupOptions): Promise<void> {
  const target = resolve(path);
  if (existsSync(target)) throw taken(target);
  const draft = `${target}.${randomBytes(6).toString("hex")}.part`;
  try {
    await db.backup(draft, { progress: steps(options) });
    linkSync(draft, target);
  } catch (error) {
    throw existsSync(target) ? taken(target) : error;
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  }
}

function steps({ onProgress, signal }: BackupOptions): (progress: BackupProgress) => number {
  let pages = PAGES_AT_ONCE;
  let remaining = Number.POSITIVE_INFINITY;
  return (progress) => {
    signal?.throwIfAborted();
    if (progress.remainingPages > remaining) pages *= 2;
    remaining = progress.remainingPages;
    onProgress?.({ totalPages: progress.totalPages, remainingPages: progress.remainingPages });
    return pages;
  };
}

function taken(path: string): SessionError {
  return SessionError.of(
    "INVALID_ARGUMENT",
    `There is a file ${path} already; a backup never overwrites one.`,
    { path: "path" },
  );
}
