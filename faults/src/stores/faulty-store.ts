import type { Clock, SessionStore } from "@sessions/protocol";

/** How a store is opened for one operation. */
export interface OpenOptions {
  readonly clock: Clock;
  /** Whether the store tidies up behind every commit, where it does so at all: json-file rotates, sqlite checkpoints. */
  readonly tidies: boolean;
}

/** What a module exports whose store is to be tried. */
export interface FaultyStore {
  /** Opens the store on a folder; again and again, on the same data. */
  open(folder: string, options: OpenOptions): Promise<SessionStore>;
  /** Whether other processes may write in the middle of a write: not where the engine has one writer at a time. */
  readonly interleavesWriters: boolean;
}
