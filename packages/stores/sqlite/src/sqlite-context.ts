import { systemClock } from "@sessions/protocol";
import type Database from "better-sqlite3";
import type { CommitContext } from "./commit-batch.js";
import { openConnection } from "./connection.js";
import { asSessionError } from "./error-mapping.js";
import { EventLoopShare } from "./event-loop-share.js";
import { MessageRows } from "./message-rows.js";
import { Notes } from "./notes.js";
import type { SqliteStoreOptions } from "./options.js";
import { type Lane, PlainLane } from "./plain-lane.js";
import { RowCache } from "./row-cache.js";
import { makeIndex } from "./search/make-index.js";
import { SearchIndex } from "./search/search-index.js";
import { SessionReader } from "./session-reader.js";
import { Sessions } from "./sessions.js";
import { prepareStatements } from "./statements.js";
import { Transactions } from "./transactions.js";

const CACHE_BYTES = 16 * 1024 * 1024;

/** What a backend on a database works with. */
export interface SqliteContext extends CommitContext {
  readonly db: Database.Database;
  readonly transactions: Transactions;
  readonly lane: Lane;
  readonly notes: Notes;
  readonly share: EventLoopShare;
  /** Whether this store offers a search; the index is kept wherever there is one. */
  readonly isSearched: boolean;
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
  const search = new SearchIndex(db);
  const sessions = new Sessions(statements, reader, rows, search);
  const now = (): number => clock.now();
  const commits: CommitContext = { statements, sessions, reader, rows, search, path, now };
  const context = {
    ...commits,
    db,
    lane: new PlainLane(commits),
    isSearched: options.search === true,
    deadlineMs,
    close,
    transactions: new Transactions({ statements, sessions, path, deadlineMs }),
    notes: new Notes(),
    share: new EventLoopShare(),
    sweepIntervalMs: options.sweepIntervalMs ?? 60_000,
  };
  if (context.isSearched) await indexed(context);
  return context;
}

async function indexed(context: SqliteContext): Promise<void> {
  try {
    await makeIndex(context);
  } catch (error) {
    context.close();
    throw asSessionError(error, context.path);
  }
}
