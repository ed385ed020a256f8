// What is shared by every store that keeps messages as rows.

export { RowCache } from "./cache/row-cache.js";
export {
  type HistoryChanges,
  type HistorySource,
  historyChangesOf,
  rowHistory,
} from "./history/row-history.js";
export { storedRunsOf } from "./history/row-source.js";
export {
  type GeneratedCounts,
  type MemoryCounts,
  NOTHING_GENERATED,
  NOTHING_REMEMBERED,
} from "./memory/memory-counts.js";
export { type MemoryChanges, type MemorySource, memoryChangesOf, rowMemory } from "./memory/row-memory.js";
export { planEnd, planLive, type SessionChange } from "./plan/plan-write.js";
export type {
  EndPlan,
  ExtensionWrite,
  LivePlan,
  MemoryPlan,
  MemoryWrite,
  MessageWrite,
} from "./plan/write-plan.js";
export { ReadRequired } from "./read-required.js";
export { runDifference } from "./runs/run-difference.js";
export { type MessageRow, type Run, RunBuilder, Runs, runAt } from "./runs/runs.js";
export { runsToMerge } from "./runs/runs-to-merge.js";
export type { HotState } from "./session/hot-state.js";
export {
  type AppendState,
  hotStateText,
  openHotStateText,
  readHotState,
  readOpenHotState,
} from "./session/hot-state-text.js";
export { type LoadedSession, loadSession } from "./session/load-session.js";
export { NO_MAX_ID } from "./session/max-id.js";
export type { ForgetLimit, MemoryEntries, MemoryKind, SessionRows } from "./session/session-rows.js";
export type { StoredMessage } from "./session/stored-message.js";
export {
  NO_PARTS,
  type PartKind,
  type PartRow,
  readParts,
  type StoredParts,
} from "./session/stored-parts.js";
export type { StoredLive, StoredSession, StoredTombstone } from "./session/stored-session.js";
export { isLarge, messagesToStage } from "./staging/messages-to-stage.js";
export { StagedMessages } from "./staging/staged-messages.js";
