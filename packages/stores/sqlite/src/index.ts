export * from "@sessions/protocol";
export type { BackupOptions, BackupProgress } from "./backup.js";
export { openSqliteBackend, openSqliteStore, type SqliteStore } from "./open-sqlite-store.js";
export type { SqliteDatabase, SqliteLocation, SqliteStoreOptions } from "./options.js";
