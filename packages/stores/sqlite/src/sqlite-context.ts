import {
  type LeaseClock,
  type LoopShare,
  loopShare,
  requireOptions,
  SessionError,
  systemClock,
} from "@sessions/protocol/backend";
import { RowCache } from "@sessions/row-engine";
import type Database from "better-sqlite3";
import type { WriteContext } from "./commit/write-context.js";
import { type Connection, openConnection } from "./engine/connection.js";
import type { DatabaseFiles } from "./engine/database-files.js";
import { systemLeaseClock } from "./engine/lease-clock.js";
import { openFailure } from "./engine/open-failure.js";
import { Tables } from "./engine/tables/tables.js";
import { Transactions } from "./engine/transactions.js";
import { SQLITE_STORE_OPTIONS, type SqliteStoreOptions } from "./options.js";
import { makeIndex } from "./search/make-index.js";
import { SearchIndex } from "./search/search-index.js";
import { CompletenessCheck } from "./session/check-complete.js";
import { MessageRows } from "./session/message-rows.js";
import { SessionCache } from "./session/session-cache.js";
import { Warnings } from "./upkeep/warnings.js";

const DEFAULT_CACHE_BYTES = 16 * 1024 * 1024;
const DEFAULT_DEADLINE_MS = 10_000;
const DEFAULT_SWEEP_INTERVAL_MS = 60_000;

/** What a backend on a database works with. */
export interface SqliteContext extends WriteContext {
  readonly db: Database.Database;
  readonly files: DatabaseFiles;
  readonly transactions: Transactions;
  readonly warnings: Warnings;
  readonly share: LoopShare;
  /** Whether this store offers search. The index is kept up to date wherever there is one. */
  readonly isSearched: boolean;
  readonly leaseClock: LeaseClock | undefined;
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
  const tables = new Tables(db);
  const messages = new MessageRows(tables, new RowCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES));
  const rows = { messages, memories: tables.memories };
  const sessions = new SessionCache(tables, rows, new CompletenessCheck(db, tables));
  const search = new SearchIndex(db);
  const deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
  const listener = {
    began: (dataVersion: number) => {
      if (!sessions.begin(dataVersion)) search.refresh();
    },
    rolledBack: () => sessions.rolledBack(),
  };
  return {
    tables,
    sessions,
    rows,
    search,
    path,
    now: () => clock.now(),
    db,
    files,
    transactions: new Transactions({ db, files, path, deadlineMs, listener }),
    warnings: new Warnings(),
    share: loopShare,
    isSearched: options.search === true,
    leaseClock: systemLeaseClock(),
    sweepIntervalMs: options.sweepIntervalMs ?? DEFAULT_SWEEP_INTERVAL_MS,
    close,
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
