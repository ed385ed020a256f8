import { join } from "node:path";
import { openSqliteStore } from "@sessions/sqlite";
import type { FaultyStore } from "./faulty-store.js";

/** One database. The sweep is not waited for by anybody, so it is left out. */
export const open: FaultyStore["open"] = (folder, { clock }) =>
  openSqliteStore({ path: join(folder, "sessions.db"), clock, sweepIntervalMs: 0 });

export const interleavesWriters = false;
