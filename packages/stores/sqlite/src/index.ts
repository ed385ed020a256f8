export * from "@sessions/protocol";
export { openSqliteBackend, openSqliteStore, type SqliteStore } from "./open-sqlite-store.js";
export type { SqliteDatabase, SqliteLocation, SqliteStoreOptions } from "./options.js";
