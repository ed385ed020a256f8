// For tools that look after a database: open the backend alone, list every session, save what is left of a damaged one, or remove it,
// and ask whether there is a search index.

export { openSqliteBackend, type SqliteSessionBackend } from "./open-sqlite-store.js";
export { hasSearchIndex } from "./upkeep/has-search-index.js";
export { type RemoveDamagedOptions, removeDamagedSession } from "./upkeep/remove-damaged-session.js";
export {
  type SalvageOptions,
  type SalvageResult,
  salvageSession,
  sessionIds,
} from "./upkeep/salvage-session.js";
