import { changes } from "./changes.js";
import { lifecycle } from "./lifecycle.js";
import type { Operation } from "./operation.js";
import { reads } from "./reads.js";
import { turns } from "./turns.js";

/** Everything that is tried. */
export const operations: readonly Operation[] = [...changes, ...turns, ...reads, ...lifecycle];
