import { join } from "node:path";
import { openSqliteStore } from "@sessions/sqlite";
import type { ChaosStore } from "./chaos-store.js";

/** Short, so that a run includes many sweeps. */
const SWEEP_INTERVAL_MS = 500;

/** One database with a search index. */
export const open: ChaosStore["open"] = (folder, clock) =>
  openSqliteStore({
    path: join(folder, "sessions.db"),
    clock,
    search: true,
    sweepIntervalMs: SWEEP_INTERVAL_MS,
  });
