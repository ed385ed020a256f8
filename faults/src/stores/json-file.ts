import { openJsonFileStore } from "@sessions/json-file";
import type { FaultyStore } from "./faulty-store.js";

/** A folder of journals. */
export const open: FaultyStore["open"] = (root, { clock, tidies }) =>
  openJsonFileStore({ root, clock, ...(tidies ? { rotateBytes: 0 } : {}) });

export const interleavesWriters = true;
