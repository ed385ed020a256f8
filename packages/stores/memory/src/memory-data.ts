import { ChangeFeed, type SessionState } from "@sessions/protocol";

/** What stores in one process share when they open the same data. */
export interface MemoryData {
  readonly states: Map<string, SessionState>;
  readonly feed: ChangeFeed;
  /** Every change has a number, and the last one of each session is kept: what a watcher may have missed. */
  readonly clock: { changes: number };
  readonly changedAt: Map<string, number>;
}

/** New, empty data. Give it to several `openMemoryStore` calls to let them share it. */
export function createMemoryData(): MemoryData {
  return { states: new Map(), feed: new ChangeFeed(), clock: { changes: 0 }, changedAt: new Map() };
}
