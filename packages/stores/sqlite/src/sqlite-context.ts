import {
  type LeaseClock,
  type LoopShare,
  loopShare,
  requireOptions,
  SessionError,
  systemClock,
} from "@sessions/protocol/backend";
import type Database from "better-sqlite3";
import type { CommitContext } from "./commit/commit-batch.js";
import { type Connection, openConnection } from "./engine/connection.js";
import type { DatabaseFiles } from "./engine/database-files.js";
import { systemLeaseClock } from "./engine/lease-clock.js";
import { MessageRows } from "./session/message-rows.js";
import { Notes } from "./upkeep/warnings.js";
import { openFailure } from "./engine/open-failure.js";
import { SQLITE_STORE_OPTIONS, type SqliteStoreOptions } from "./options.js";
import { rereadDamage } from "./engine/retry-damaged-read.js";
import { RowCache } from "./row-cache.js";
import { makeIndex } from "./search/make-index.js";
import { SearchIndex } from "./search/search-index.js";
import { SessionReader } from "./session/session-row.js";
import { Sessions } from "./session/session-cache.js";
import { prepareStatements, type Statements } from "./engine/statements.js";
import { Transactions } from "./engine/transactions.js";

const CACHE_BYTES = 16 * 1024 * 1024;

/** What a backend on a database works with. */
export interface SqliteContext extends CommitContext {
  readonly db: Database.Database;
  readonly files: DatabaseFiles;
  readonly transactions: Transactions;
  readonly notes: Notes;
  readonly share: LoopShare;
  /** Whether this store offers a search; the index is kept wherever there is one. */
  readonly isSearched: boolean;
  readonly leaseClock: LeaseClock | undefined;
  readonly deadlineMs: number;
  readonly sweepIntervalMs: number;
  readonly close: () => void;
}

export async function openSqliteContext(unchecked: SqliteStoreOptions): Promise<SqliteContext> {
  const options = requireOptions(unchecked, SQLITE_STORE_OPTIONS);
  requireOneLocation(options);
  const connection = await openConnection(options);
  try {
    const context = contextOf(connection, options);
    if (context.isSearched) await makeIndex(context);
    return context;
  } catch (error) {
    connection.close();
    throw openFailure(error, connection.path);
  }
}

function contextOf({ db, path, files, close }: Connection, options: SqliteStoreOptions): SqliteContext {
  const clock = options.clock ?? systemClock;
  const deadlineMs = options.deadlineMs ?? 10_000;
  const statements = prepareStatements(db);
  rereadAll(statements);
  const rows = new MessageRows(statements, new RowCache(options.cacheBytes ?? CACHE_BYTES));
  const reader = new SessionReader(statements, rows);
  const search = new SearchIndex(db);
  const sessions = new Sessions(statements, reader, rows, search);
  const now = (): number => clock.now();
  const commits: CommitContext = { statements, sessions, reader, rows, search, path, now };
  return {
    ...commits,
    db,
    files,
    isSearched: options.search === true,
    leaseClock: systemLeaseClock(),
    deadlineMs,
    close,
    transactions: new Transactions({ statements, sessions, files, path, deadlineMs }),
    notes: new Notes(),
    share: loopShare,
    sweepIntervalMs: options.sweepIntervalMs ?? 60_000,
  };
}

function requireOneLocation({
  path,
  database,
}: {
  readonly path?: unknown;
  readonly database?: unknown;
}): void {
  if ((path === undefined) !== (database === undefined)) return;
  const message = "options.path or options.database must be given, and not both.";
  throw SessionError.of("INVALID_ARGUMENT", message, { path: "options.path" });
}

/** A statement that begins or ends a transaction must not be run twice. */
function rereadAll({ begin, beginImmediate, commit, rollback, ...others }: Statements): void {
  for (const statement of Object.values(others)) rereadDamage(statement);
}
