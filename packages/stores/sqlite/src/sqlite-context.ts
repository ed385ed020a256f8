import { systemClock } from "@sessions/protocol";
import type Database from "better-sqlite3";
import type { CommitContext } from "./commit-batch.js";
import { openConnection } from "./connection.js";
import { MessageRows } from "./message-rows.js";
import { Notes } from "./notes.js";
import type { SqliteStoreOptions } from "./options.js";
import { RowCache } from "./row-cache.js";
import { SessionReader } from "./session-reader.js";
import { Sessions } from "./sessions.js";
import { prepareStatements } from "./statements.js";
import { Transactions } from "./transactions.js";

const CACHE_BYTES = 16 * 1024 * 1024;

/** What a backend on a database works with. */
export interface SqliteContext extends CommitContext {
  readonly db: Database.Database;
  readonly transactions: Transactions;
  readonly notes: Notes;
  readonly deadlineMs: number;
  readonly sweepIntervalMs: number;
  readonly close: () => void;
}

export async function openSqliteContext(options: SqliteStoreOptions): Promise<SqliteContext> {
  const { db, path, close } = await openConnection(options);
  const clock = options.clock ?? systemClock;
  const deadlineMs = options.deadlineMs ?? 10_000;
  const statements = prepareStatements(db);
  const rows = new MessageRows(statements, new RowCache(options.cacheBytes ?? CACHE_BYTES));
  const reader = new SessionReader(statements, rows);
  const sessions = new Sessions(statements, reader, rows);
  return {
    db,
    path,
    statements,
    rows,
    reader,
    sessions,
    deadlineMs,
    close,
    transactions: new Transactions({ statements, sessions, path, deadlineMs }),
    notes: new Notes(),
    now: () => clock.now(),
    sweepIntervalMs: options.sweepIntervalMs ?? 60_000,
  };
}
