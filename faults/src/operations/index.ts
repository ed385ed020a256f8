import { changes } from "./changes.js";
import { openAndClose } from "./open-and-close.js";
import type { Operation } from "./operation.js";
import { reads } from "./reads.js";
import { turns } from "./turns.js";

/** All operations that are tried. */
export const operations: readonly Operation[] = [...changes, ...turns, ...reads, ...openAndClose];
