import { swallowingEnospc } from "./commits.mjs";
import { jsonFileWith } from "./faulty.mjs";

export const open = jsonFileWith(swallowingEnospc);
export const interleavesWriters = true;
