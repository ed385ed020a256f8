import { openJsonFileStore } from "@sessions/json-file";
import type { ErrorCode } from "@sessions/protocol";
import type { ChaosStore } from "./chaos-store.js";

/** Small, so that a run includes many rotations. */
const ROTATE_BYTES = 32 * 1024;

/** A folder of journals. */
export const open: ChaosStore["open"] = (root, clock) =>
  openJsonFileStore({ root, clock, rotateBytes: ROTATE_BYTES });

/**
 * A commit that is sent again by a worker whose wall clock is an hour behind the others may be older than the commit ids that
 * the session still remembers: whether it was applied cannot be told then.
 */
export const tolerates: readonly ErrorCode[] = ["OUTCOME_UNKNOWN"];
