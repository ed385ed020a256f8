export * from "@sessions/protocol";
export type { BackupOptions, BackupProgress } from "./upkeep/backup-options.js";
export {
  openSqliteBackend,
  openSqliteStore,
  type SalvageResult,
  type SqliteSessionBackend,
  type SqliteStore,
} from "./open-sqlite-store.js";
export type { SqliteDatabase, SqliteLocation, SqliteStoreOptions } from "./options.js";
