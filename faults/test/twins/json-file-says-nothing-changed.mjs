import { sayingNothingChanged } from "./commits.mjs";
import { jsonFileWith } from "./faulty.mjs";

export const open = jsonFileWith(sayingNothingChanged);
export const interleavesWriters = true;
