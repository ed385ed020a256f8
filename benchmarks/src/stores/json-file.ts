import { openJsonFileStore } from "@sessions/json-file";
import { atLeast } from "../bar.js";
import { appendsAgainst } from "../measurements/appends-against.js";
import {
  blockWhileColdReading,
  blockWhileReplacing,
  blockWhileWarmReading,
} from "../measurements/event-loop.js";
import { appendGrowth, archiveGrowth, snapshotGrowth, tailGrowth } from "../measurements/growth.js";
import { heldToReadTail } from "../measurements/held-memory.js";
import { listAgainstFileStats } from "../measurements/list-against-file-stats.js";
import {
  blockInManyConversations,
  heldByConversations,
  manyConversations,
} from "../measurements/many-conversations.js";
import { processesOnOneSession } from "../measurements/processes-on-one-session.js";
import { replaceAgainstAppend } from "../measurements/replace-against-append.js";
import { streamOverhead } from "../measurements/stream-overhead.js";
import { syncLoop } from "../measurements/sync-loop.js";
import type { StoreUnderTest } from "./store-under-test.js";

/** The default of `cacheBytes`. */
const MEMORY_BUDGET_BYTES = 64 * 2 ** 20;

export const jsonFile: StoreUnderTest = {
  name: "json-file",
  open: (root) => openJsonFileStore({ root }),
  openToPrepare: (root) => openJsonFileStore({ root, durability: "relaxed" }),
  measurements: () => [
    appendsAgainst(jsonFile, syncLoop, { callers: 1, bar: atLeast(0.7) }),
    appendsAgainst(jsonFile, syncLoop, { callers: 32, bar: atLeast(8) }),
    appendGrowth(jsonFile, 25),
    tailGrowth(jsonFile),
    replaceAgainstAppend(jsonFile),
    snapshotGrowth(jsonFile),
    archiveGrowth(jsonFile),
    processesOnOneSession(jsonFile),
    listAgainstFileStats(jsonFile),
    blockWhileColdReading(jsonFile),
    blockWhileWarmReading(jsonFile),
    blockWhileReplacing(jsonFile),
    heldToReadTail(jsonFile, "1 000 at a time"),
    heldToReadTail(jsonFile, "one by one"),
    streamOverhead(jsonFile),
    manyConversations(jsonFile),
    blockInManyConversations(jsonFile),
    heldByConversations(jsonFile, MEMORY_BUDGET_BYTES),
  ],
};
