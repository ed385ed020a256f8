import {
  createStore,
  type SessionBackend,
  type SessionStore,
  storeOptionsOf,
} from "@sessions/protocol/backend";
import { openBackend } from "./open-backend.js";
import type { SqliteStoreOptions } from "./options.js";
import type { BackupOptions } from "./upkeep/backup-options.js";

/** What a SQLite database can do beyond what every store can. */
interface SqliteMethods {
  /** Does now what the store does by itself every minute: ends sessions that have expired, removes rows that nothing refers to. */
  sweep(): Promise<void>;
  /**
   * Copies the database to a new file while it is used, other processes included.
   *
   * @example
   * ```ts
   * const store = await openSqliteStore({ path: "./sessions.db" });
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
 * const store = await openSqliteStore({ path: "./sessions.db", search: true });
 * await store.addMessage("user-42", { role: "user", content: "Where is my parcel?" });
 * const page = await store.search?.({ text: "parcel" });
 * ```
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const storeOptions = storeOptionsOf(options);
  const backend = await openSqliteBackend(options);
  return Object.assign(createStore(backend, storeOptions), {
    sweep: () => backend.sweep(),
    backupTo: (path: string, backup?: BackupOptions) => backend.backupTo(path, backup),
  });
}

/** Opens a database as a backend, for tools that put something between it and `createStore`. */
export function openSqliteBackend(options: SqliteStoreOptions): Promise<SqliteSessionBackend> {
  return openBackend(options);
}
