import { sayingNothingChanged } from "./broken-commits.mjs";
import { sqliteWith } from "./with-commit.mjs";

export const open = sqliteWith(sayingNothingChanged);
export const interleavesWriters = false;
