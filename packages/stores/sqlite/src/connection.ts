import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SessionError } from "@sessions/protocol";
import Database from "better-sqlite3";
import { asSessionError } from "./error-mapping.js";
import { makeDatabaseFile } from "./make-database-file.js";
import { migrate } from "./migrations/migrate.js";
import type { SqliteDatabase, SqliteStoreOptions } from "./options.js";
import { patiently } from "./patiently.js";

/** A connection to a database with the present schema, set up as the store needs it. */
export interface Connection {
  readonly db: Database.Database;
  /** For messages. */
  readonly path: string;
  /** Closes it, if this package has opened it. */
  close(): void;
}

export async function openConnection(options: SqliteStoreOptions): Promise<Connection> {
  const path = options.path === undefined ? options.database.name : resolve(options.path);
  const connection = connected(options, path);
  try {
    await patiently(() => prepareDatabase(connection.db), { path, deadlineMs: options.deadlineMs ?? 10_000 });
    return connection;
  } catch (error) {
    connection.close();
    throw asSessionError(error, path);
  }
}

function connected(options: SqliteStoreOptions, path: string): Connection {
  if (options.path === undefined) {
    const { database } = options;
    if (!isConnection(database)) throw noConnection();
    return { db: database, path, close: () => undefined };
  }
  try {
    makeDatabaseFile(path);
    refuseEmpty(path);
    const db = new Database(path, { fileMustExist: true, timeout: 0 });
    return { db, path, close: () => db.close() };
  } catch (error) {
    throw asSessionError(error, path);
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

/** An empty file is a database that was cut off, or one that never was. Only the owner knows. */
function refuseEmpty(path: string): void {
  if (statSync(path).size > 0) return;
  const message = `${path} is empty. If it never held sessions, remove it and open the store again; otherwise restore a backup.`;
  throw SessionError.of("STORE_UNAVAILABLE", message, {});
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
