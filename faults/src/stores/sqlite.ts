import { join } from "node:path";
import { openSqliteStore } from "@sessions/sqlite";
import type { StoreUnderTest } from "./store-under-test.js";

/** One database. It has no sweep, because no caller gets the outcome of a sweep. */
export const open: StoreUnderTest["open"] = (folder, { clock }) =>
  openSqliteStore({ path: join(folder, "sessions.db"), clock, sweepIntervalMs: 0 });

export const interleavesWriters = false;
