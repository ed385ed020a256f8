import { openJsonFileStore } from "@sessions/json-file";
import type { ChaosStore } from "./chaos-store.js";

/** Journals are considered for rotation early, so that the run meets many rotations. */
const ROTATE_BYTES = 32 * 1024;

/** A folder of journals. */
export const open: ChaosStore["open"] = (root, clock) =>
  openJsonFileStore({ root, clock, rotateBytes: ROTATE_BYTES });
