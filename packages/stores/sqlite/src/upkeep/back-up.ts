import { randomBytes } from "node:crypto";
import { existsSync, linkSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SessionError } from "@sessions/protocol";
import type Database from "better-sqlite3";
import { openFailure } from "../engine/open-failure.js";
import type { BackupOptions, BackupProgress } from "./backup-options.js";

const PAGES_AT_ONCE = 100;

/**
 * Copies a database while it is used. It gets its name when it is complete. Whatever another process commits makes
 * SQLite begin anew, so each time more is copied in one step.
 */
export async function backUp(db: Database.Database, path: string, options: BackupOptions): Promise<void> {
  const target = requireTarget(path);
  const draft = `${target}.${randomBytes(6).toString("hex")}.part`;
  try {
    await db.backup(draft, { progress: steps(options) });
    linkSync(draft, target);
  } catch (error) {
    if (error instanceof GivenUp) throw error.reason;
    throw existsSync(target) ? taken(target) : openFailure(error, target);
  } finally {
    removeDraft(draft, target);
  }
}

function removeDraft(draft: string, target: string): void {
  try {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  } catch (error) {
    throw openFailure(error, target);
  }
}

function requireTarget(path: unknown): string {
  if (typeof path !== "string" || path === "" || path.includes("\0"))
    throw invalid("path must be the path of a file that is not there yet.");
  const target = resolve(path);
  if (existsSync(target)) throw taken(target);
  if (!existsSync(dirname(target)))
    throw invalid(`There is no folder ${dirname(target)}; make it before the backup.`);
  return target;
}

function steps({ onProgress, signal }: BackupOptions): (progress: BackupProgress) => number {
  let pages = PAGES_AT_ONCE;
  let remaining = Number.POSITIVE_INFINITY;
  return ({ totalPages, remainingPages }) => {
    if (remainingPages > remaining) pages *= 2;
    remaining = remainingPages;
    try {
      signal?.throwIfAborted();
      onProgress?.({ totalPages, remainingPages });
    } catch (reason) {
      throw new GivenUp(reason);
    }
    return pages;
  };
}

/** The caller's function threw, or its signal was aborted: the caller gets just that. */
class GivenUp extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super("the backup was given up");
    this.reason = reason;
  }
}

function taken(path: string): SessionError {
  return invalid(`There is a file ${path} already; a backup never overwrites one.`);
}

function invalid(message: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", message, { path: "path" });
}
