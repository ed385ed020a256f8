import { swallowingEnospc } from "./commits.mjs";
import { sqliteWith } from "./faulty.mjs";

export const open = sqliteWith(swallowingEnospc);
export const interleavesWriters = false;
