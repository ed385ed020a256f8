import { sayingNothingChanged } from "./broken-commits.mjs";
import { jsonFileWith } from "./with-commit.mjs";

export const open = jsonFileWith(sayingNothingChanged);
export const interleavesWriters = true;
