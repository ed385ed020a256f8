import { resolve } from "node:path";
import { SessionError } from "@sessions/protocol";
import Database from "better-sqlite3";
import type { SqliteDatabase, SqliteStoreOptions } from "../options.js";
import { createDatabaseFile } from "./create-database-file.js";
import { DatabaseFiles } from "./database-files.js";
import { databasePath } from "./database-path.js";
import { migrate } from "./migrations/migrate.js";
import { requireNativeBinding } from "./native-binding.js";
import { openFailure } from "./open-failure.js";
import { retryWhileBusy } from "./retry-while-busy.js";

/** A connection to a database with the present schema, set up as the store needs it. */
export interface Connection {
  readonly db: Database.Database;
  /** For messages. */
  readonly path: string;
  readonly files: DatabaseFiles;
  /** Closes it, if this package has opened it. */
  close(): void;
}

/** A connection whose database may not be in order yet. */
type Connected = Omit<Connection, "files">;

export async function openConnection(options: SqliteStoreOptions): Promise<Connection> {
  const { database } = options;
  const connection = database === undefined ? connectedTo(databasePath(options.path)) : given(database);
  const { path } = connection;
  try {
    await retryWhileBusy(() => prepareDatabase(connection.db), {
      path,
      deadlineMs: options.deadlineMs ?? 10_000,
    });
    return { ...connection, files: new DatabaseFiles(path) };
  } catch (error) {
    connection.close();
    throw openFailure(error, path);
  }
}

function given(database: SqliteDatabase): Connected {
  if (!isConnection(database)) throw noConnection();
  return { db: database, path: resolve(database.name), close: () => undefined };
}

function connectedTo(path: string): Connected {
  try {
    requireNativeBinding();
    createDatabaseFile(path);
    const db = new Database(path, { fileMustExist: true, timeout: 0 });
    return { db, path, close: () => db.close() };
  } catch (error) {
    throw openFailure(error, path);
  }
}

/** Settings of this connection first; then, if need be, the schema. */
function prepareDatabase(db: Database.Database): void {
  // Waiting inside SQLite would hold up the event loop; the store waits outside.
  db.pragma("busy_timeout = 0");
  const mode = db.pragma("journal_mode = WAL", { simple: true });
  if (mode !== "wal") throw noWal(db.name, String(mode));
  // The build's default for WAL is NORMAL, which loses acknowledged commits when the machine dies.
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  migrate(db);
}

function isConnection(database: SqliteDatabase): database is Database.Database {
  return typeof database?.prepare === "function" && "transaction" in database;
}

function noConnection(): SessionError {
  const message = "options.database must be an open better-sqlite3 Database.";
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options.database" });
}

function noWal(path: string, mode: string): SessionError {
  const message =
    mode === "memory"
      ? "A database in memory cannot be a durable store. Use a file, or @sessions/memory."
      : `${path} cannot be put into WAL mode (it is in "${mode}"). It must be on a local file system that this process may write to.`;
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options.path" });
}
