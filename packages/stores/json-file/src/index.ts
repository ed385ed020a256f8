export * from "@sessions/protocol";
export { openJsonFileStore } from "./open-json-file-store.js";
export type { JsonFileStoreOptions } from "./options.js";
export type { JsonFileWarning, JsonFileWarningCode } from "./warning.js";
