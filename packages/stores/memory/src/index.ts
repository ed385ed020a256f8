export * from "@sessions/protocol";
export { createMemoryData, type MemoryData } from "./memory-data.js";
export { openMemoryStore } from "./open-memory-store.js";
export type { MemoryStoreOptions } from "./options.js";
