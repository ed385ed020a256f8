import {
  createStore,
  type SessionBackend,
  SessionError,
  type SessionStore,
  storeOptionsOf,
} from "@sessions/protocol/backend";
import type { BackupOptions } from "./upkeep/backup-options.js";
import { openFailure } from "./engine/open-failure.js";
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
  /** The id of every session that there is or was, in order: of damaged ones too, which lists leave out. */
  sessionIds(): AsyncIterable<string>;
}

/** What was saved of a damaged session. */
export interface SalvageResult {
  /** How many messages the new session has. */
  readonly messages: number;
  /** How many messages could not be read. */
  readonly lostMessages: number;
  /** Snapshots that nobody could go back to any more. */
  readonly lostSnapshots: readonly string[];
  /** Of the damaged session, at the revision that it was at. */
  readonly incarnation: string;
  readonly revision: number;
}

/** A store in a SQLite database. */
export interface SqliteStore extends SessionStore, SqliteMethods {
  /**
   * Makes a new session of everything in a damaged one that can be read. The damaged one stays as it is. INVALID_ARGUMENT
   * if it is sound; SESSION_CORRUPTED if not even its record can be read.
   */
  salvage(sessionId: string, newId: string): Promise<SalvageResult>;
}

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
  const storeOptions = storeOptionsOf(options);
  const backend = await openBackend(options);
  const store = createStore(backend, storeOptions);
  return Object.assign(store, {
    sweep: () => backend.sweep(),
    backupTo: (path: string, backup?: BackupOptions) => backend.backupTo(path, backup),
    sessionIds: () => backend.sessionIds(),
    salvage: (sessionId: string, newId: string) => salvageInto(store, backend, sessionId, newId),
  });
}

async function salvageInto(
  store: SessionStore,
  backend: SqliteBackend,
  sessionId: string,
  newId: string,
): Promise<SalvageResult> {
  const { ok } = await store.verify(sessionId);
  const saved = ok ? undefined : await backend.salvage(sessionId);
  if (saved === undefined) {
    const message = `Session "${sessionId}" is not damaged. There is nothing to salvage.`;
    throw SessionError.of("INVALID_ARGUMENT", message, { path: "sessionId", sessionId });
  }
  const { document: session, lostMessages, lostSnapshots } = saved;
  const bundle = { format: "sessions-bundle", version: 1, sessionId, session } as const;
  await store.importSession(bundle, { newId, ifAbsent: true });
  const { incarnation, revision } = session;
  return { messages: session.messages.length, lostMessages, lostSnapshots, incarnation, revision };
}

/** The backend alone. */
export async function openSqliteBackend(options: SqliteStoreOptions): Promise<SqliteSessionBackend> {
  return openBackend(options);
}

async function openBackend(options: SqliteStoreOptions): Promise<SqliteBackend> {
  const context = await openSqliteContext(options);
  try {
    return new SqliteBackend(context);
  } catch (error) {
    context.close();
    throw openFailure(error, context.path);
  }
}
