import { type OptionNames, STORE_OPTIONS, type StoreOptions } from "@sessions/protocol/backend";
import type { MemoryData } from "./memory-data.js";

/** How a memory store opens. */
export interface MemoryStoreOptions extends StoreOptions {
  /** Data that several stores share, as several processes would share a disk. @default new data */
  readonly data?: MemoryData | undefined;
}

export const MEMORY_STORE_OPTIONS: OptionNames<MemoryStoreOptions> = { ...STORE_OPTIONS, data: "object" };
