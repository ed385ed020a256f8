import { sayingNothingChanged } from "./commits.mjs";
import { sqliteWith } from "./faulty.mjs";

export const open = sqliteWith(sayingNothingChanged);
export const interleavesWriters = false;
