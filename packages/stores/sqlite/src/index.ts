export * from "@sessions/protocol";
export { openSqliteStore, type SqliteStore } from "./open-sqlite-store.js";
export type { SqliteDatabase, SqliteLocation, SqliteStoreOptions } from "./options.js";
export type { BackupOptions, BackupProgress } from "./upkeep/backup-options.js";
