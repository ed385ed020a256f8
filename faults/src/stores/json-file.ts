import { openJsonFileStore } from "@sessions/json-file";
import type { StoreUnderTest } from "./store-under-test.js";

/** A folder of journals. */
export const open: StoreUnderTest["open"] = (root, { clock, runsUpkeep }) =>
  openJsonFileStore({ root, clock, ...(runsUpkeep ? { rotateBytes: 0 } : {}) });

export const interleavesWriters = true;
