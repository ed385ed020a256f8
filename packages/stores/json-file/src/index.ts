export * from "@sessions/protocol";
export { openJsonFileBackend, openJsonFileStore } from "./open-json-file-store.js";
export type { JsonFileStoreOptions } from "./options.js";
export { type QuarantineOptions, quarantineSession } from "./quarantine-session.js";
export { type Quarantine, quarantined } from "./quarantined.js";
export { type Salvaged, type SalvageOptions, salvageSession } from "./salvage-session.js";
export type { LostCommit } from "./salvaged-state.js";
export { type SessionFolder, sessionFolders } from "./session-folders.js";
export type { JsonFileWarning, JsonFileWarningCode } from "./warning.js";
