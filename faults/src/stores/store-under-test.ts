import type { Clock, SessionStore } from "@sessions/protocol";

/** How a store is opened for one operation. */
export interface OpenOptions {
  readonly clock: Clock;
  /** Whether the store does its upkeep after every commit: json-file rotates. */
  readonly runsUpkeep: boolean;
}

/** What the module of a store under test exports. */
export interface StoreUnderTest {
  /** Opens the store on a folder. Called many times for the same data. */
  open(folder: string, options: OpenOptions): Promise<SessionStore>;
  /** Whether another process can write in the middle of a write. `false` where the engine has one writer at a time. */
  readonly interleavesWriters: boolean;
}
