import { openJsonFileStore } from "@sessions/json-file";
import type { ChaosStore } from "./chaos-store.js";

/** A folder of journals. */
export const open: ChaosStore["open"] = (root, clock) => openJsonFileStore({ root, clock });
