// For tools that inspect and repair a folder of journals. Programs that use sessions need the main entry only.
export { openJsonFileBackend } from "./open-json-file-backend.js";
export { type QuarantineOptions, quarantineSession } from "./upkeep/quarantine-session.js";
export { type Quarantine, quarantined } from "./upkeep/quarantined.js";
export { type Salvaged, type SalvageOptions, salvageSession } from "./upkeep/salvage-session.js";
export type { LostCommit } from "./upkeep/salvaged-state.js";
export { type SessionFolder, sessionFolders } from "./upkeep/session-folders.js";
