import { swallowingEnospc } from "./broken-commits.mjs";
import { sqliteWith } from "./with-commit.mjs";

export const open = sqliteWith(swallowingEnospc);
export const interleavesWriters = false;
