import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import { openSqliteStore } from "@sessions/sqlite";
import { atLeast } from "../bar.js";
import { activePage, activeWalk } from "../measurements/active-lists.js";
import { appendsAgainst } from "../measurements/appends-against.js";
import {
  blockWhileColdReading,
  blockWhileReplacing,
  blockWhileWarmReading,
} from "../measurements/event-loop.js";
import { appendGrowth, archiveGrowth, snapshotGrowth, tailGrowth } from "../measurements/growth.js";
import { listGrowth } from "../measurements/list-growth.js";
import {
  blockInManyConversations,
  heldByConversations,
  manyConversations,
} from "../measurements/many-conversations.js";
import { processesOnOneSession } from "../measurements/processes-on-one-session.js";
import { rawSqlite } from "../measurements/raw-sqlite.js";
import { replaceAgainstAppend } from "../measurements/replace-against-append.js";
import { searchOverhead } from "../measurements/search-overhead.js";
import type { StoreUnderTest } from "./store-under-test.js";
import { TimedCommits } from "./timed-commits.js";

const open = (folder: string): Promise<SessionStore> => opened(folder, false);
const openSearched = (folder: string): Promise<SessionStore> => opened(folder, true);

/** What docs/guide/sqlite.md says: `cacheBytes` of messages, and some 6 KB for each of the 2 000 sessions used last. */
const MEMORY_BUDGET_BYTES = 16 * 2 ** 20 + 2000 * 6000;

const commits = new TimedCommits();

async function openTimed(folder: string): Promise<SessionStore> {
  mkdirSync(folder, { recursive: true });
  return openSqliteStore({ database: commits.open(join(folder, "sessions.db")) });
}

async function opened(folder: string, search: boolean): Promise<SessionStore> {
  mkdirSync(folder, { recursive: true });
  return openSqliteStore({ path: join(folder, "sessions.db"), search });
}

export const sqlite: StoreUnderTest = {
  name: "sqlite",
  open,
  openToPrepare: open,
  measurements: () => [
    appendsAgainst(sqlite, rawSqlite(1), { callers: 1, bar: atLeast(0.7) }),
    appendsAgainst(sqlite, rawSqlite(64), { callers: 64, bar: atLeast(0.6) }),
    appendGrowth(sqlite, 100),
    tailGrowth(sqlite),
    replaceAgainstAppend(sqlite),
    snapshotGrowth(sqlite),
    archiveGrowth(sqlite),
    searchOverhead(sqlite, openSearched),
    processesOnOneSession(sqlite),
    listGrowth(sqlite, "common"),
    listGrowth(sqlite, "rare"),
    activePage(sqlite),
    activeWalk(sqlite),
    blockWhileColdReading(sqlite),
    blockWhileWarmReading(sqlite),
    blockWhileReplacing(sqlite),
    manyConversations(sqlite),
    blockInManyConversations(
      { ...sqlite, open: openTimed },
      () => `longest COMMIT: ${commits.longestMs.toFixed(1)} ms`,
    ),
    heldByConversations(sqlite, MEMORY_BUDGET_BYTES),
  ],
};
