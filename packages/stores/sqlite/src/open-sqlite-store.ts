import { createStore, type SessionBackend, type SessionStore } from "@sessions/protocol";
import type { BackupOptions } from "./backup-options.js";
import type { SqliteStoreOptions } from "./options.js";
import { SqliteBackend } from "./sqlite-backend.js";
import { openSqliteContext } from "./sqlite-context.js";

/** What a SQLite database can do beyond what every store can. */
interface SqliteMethods {
  /** Does now what the store does by itself every minute: ends what has expired, removes what nobody holds any more. */
  sweep(): Promise<void>;
  /**
   * Copies the database to a new file while it is used, other processes included.
   *
   * @example
   * ```ts
   * await using store = await openSqliteStore({ path: "./sessions.db" });
   * await store.backupTo("./backup.db", {
   *   onProgress: ({ totalPages, remainingPages }) => console.log(`${totalPages - remainingPages} of ${totalPages}`),
   * });
   * ```
   */
  backupTo(path: string, options?: BackupOptions): Promise<void>;
}

/** A store in a SQLite database. */
export interface SqliteStore extends SessionStore, SqliteMethods {}

/** A backend on a SQLite database. */
export interface SqliteSessionBackend extends SessionBackend, SqliteMethods {}

/**
 * Opens a database as a store. Any number of processes of one machine may do so at once.
 *
 * @example
 * ```ts
 * await using store = await openSqliteStore({ path: "./sessions.db", search: true });
 * await store.addMessage("user-42", { role: "user", content: "Where is my parcel?" });
 * const page = await store.search?.({ text: "parcel" });
 * ```
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const backend = await openSqliteBackend(options);
  return Object.assign(createStore(backend, options), {
    sweep: () => backend.sweep(),
    backupTo: (path: string, backup?: BackupOptions) => backend.backupTo(path, backup),
  });
}

/** The backend alone. */
export async function openSqliteBackend(options: SqliteStoreOptions): Promise<SqliteSessionBackend> {
  return new SqliteBackend(await openSqliteContext(options));
}
