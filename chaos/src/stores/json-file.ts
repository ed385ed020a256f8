import { openJsonFileStore } from "@sessions/json-file";
import type { ChaosStore } from "./chaos-store.js";

/** Small, so that a run includes many rotations. */
const ROTATE_BYTES = 32 * 1024;

/** A folder of journals. */
export const open: ChaosStore["open"] = (root, clock) =>
  openJsonFileStore({ root, clock, rotateBytes: ROTATE_BYTES });
