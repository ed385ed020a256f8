export * from "@sessions/protocol";
export { openJsonFileBackend, openJsonFileStore } from "./open-json-file-store.js";
export type { JsonFileStoreOptions } from "./options.js";
export { type QuarantineOptions, quarantineSession } from "./upkeep/quarantine-session.js";
export { type Quarantine, quarantined } from "./upkeep/quarantined.js";
export { type Salvaged, type SalvageOptions, salvageSession } from "./upkeep/salvage-session.js";
export type { LostCommit } from "./upkeep/salvaged-state.js";
export { type SessionFolder, sessionFolders } from "./upkeep/session-folders.js";
export type { JsonFileWarning, JsonFileWarningCode } from "./warning.js";
