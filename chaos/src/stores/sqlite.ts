import { join } from "node:path";
import { openSqliteStore } from "@sessions/sqlite";
import type { ChaosStore } from "./chaos-store.js";

/** The sweep comes often, so that the run meets many of them. */
const SWEEP_INTERVAL_MS = 500;

/** One database, with its index for search. */
export const open: ChaosStore["open"] = (folder, clock) =>
  openSqliteStore({
    path: join(folder, "sessions.db"),
    clock,
    search: true,
    sweepIntervalMs: SWEEP_INTERVAL_MS,
  });
