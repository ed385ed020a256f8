export * from "@sessions/protocol";
export { openJsonFileBackend, openJsonFileStore } from "./open-json-file-store.js";
export type { JsonFileStoreOptions } from "./options.js";
