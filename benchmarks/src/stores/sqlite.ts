import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import { openSqliteStore } from "@sessions/sqlite";
import { atLeast } from "../bar.js";
import { appendsAgainst } from "../measurements/appends-against.js";
import {
  blockWhileColdReading,
  blockWhileReplacing,
  blockWhileWarmReading,
} from "../measurements/event-loop.js";
import { appendGrowth, archiveGrowth, snapshotGrowth, tailGrowth } from "../measurements/growth.js";
import { listGrowth } from "../measurements/list-growth.js";
import { blockInManyConversations, manyConversations } from "../measurements/many-conversations.js";
import { manyProcesses } from "../measurements/many-processes.js";
import { rawSqlite } from "../measurements/raw-sqlite.js";
import { replaceAgainstAppend } from "../measurements/replace-against-append.js";
import { searchOverhead } from "../measurements/search-overhead.js";
import type { StoreUnderTest } from "./store-under-test.js";

const open = (folder: string): Promise<SessionStore> => opened(folder, false);
const openSearched = (folder: string): Promise<SessionStore> => opened(folder, true);

async function opened(folder: string, search: boolean): Promise<SessionStore> {
  mkdirSync(folder, { recursive: true });
  return openSqliteStore({ path: join(folder, "sessions.db"), search });
}

export const sqlite: StoreUnderTest = {
  name: "sqlite",
  open,
  openToPrepare: open,
  measurements: () => [
    appendsAgainst(sqlite, rawSqlite(1), { callers: 1, bar: atLeast(0.8) }),
    appendsAgainst(sqlite, rawSqlite(64), { callers: 64, bar: atLeast(0.6) }),
    appendGrowth(sqlite, 100),
    tailGrowth(sqlite),
    replaceAgainstAppend(sqlite),
    snapshotGrowth(sqlite),
    archiveGrowth(sqlite),
    searchOverhead(sqlite, openSearched),
    manyProcesses(sqlite),
    listGrowth(sqlite, "common"),
    listGrowth(sqlite, "rare"),
    blockWhileColdReading(sqlite),
    blockWhileWarmReading(sqlite),
    blockWhileReplacing(sqlite),
    manyConversations(sqlite),
    blockInManyConversations(sqlite),
  ],
};
