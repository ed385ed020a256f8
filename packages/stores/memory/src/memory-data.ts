import { ChangeFeed, type SessionState } from "@sessions/protocol/backend";

/** What stores in one process share when they open the same data. */
export interface MemoryData {
  /** Random: a cursor of other data is told from one of these. */
  readonly id: string;
  readonly states: Map<string, SessionState>;
  readonly feed: ChangeFeed;
  /** Every change has a number, and the last one of each session is kept: what a watcher may have missed. */
  readonly clock: { changes: number };
  readonly changedAt: Map<string, number>;
}

/** New, empty data. Give it to several `openMemoryStore` calls to let them share it. */
export function createMemoryData(): MemoryData {
  return {
    id: randomHex(8),
    states: new Map(),
    feed: new ChangeFeed(),
    clock: { changes: 0 },
    changedAt: new Map(),
  };
}

/** Not `randomUUID`, which browsers have on secure pages only. */
function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
