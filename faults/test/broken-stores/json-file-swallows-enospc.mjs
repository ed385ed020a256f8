import { swallowingEnospc } from "./broken-commits.mjs";
import { jsonFileWith } from "./with-commit.mjs";

export const open = jsonFileWith(swallowingEnospc);
export const interleavesWriters = true;
