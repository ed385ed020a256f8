import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";

/** Where a database may be made; it is removed after the test. */
export async function temporaryPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sessions-sqlite-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "sessions.db");
}

/** A connection of the test's own, which is closed after it. */
export function connected(path: string): Database.Database {
  const db = new Database(path);
  onTestFinished(() => void db.close());
  return db;
}

/** Does something to a database behind the back of those who have it open. */
export function altered<Result>(path: string, alter: (db: Database.Database) => Result): Result {
  const db = new Database(path);
  try {
    return alter(db);
  } finally {
    db.close();
  }
}
