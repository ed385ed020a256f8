import type { Limits } from "../arguments/limits.js";
import type { SessionBackend } from "../backend/session-backend.js";
import type { UuidSource } from "../ids/uuid-v7.js";
import type { LocalWaitQueues } from "../leases/local-wait-queue.js";
import type { ObservedLeases } from "../leases/observed-leases.js";
import type { Clock } from "../platform/clock.js";
import type { LoopShare } from "../platform/loop-share.js";
import type { CommitQueue } from "../queue/commit-queue.js";
import type { Lifecycle } from "./lifecycle.js";

/** What the methods of one store share. */
export interface StoreContext {
  readonly backend: SessionBackend;
  readonly queue: CommitQueue;
  readonly share: LoopShare;
  readonly lifecycle: Lifecycle;
  /** The calls that wait for a turn in this store. */
  readonly waitQueues: LocalWaitQueues;
  /** The leases of other processes that this store has read. */
  readonly leases: ObservedLeases;
  readonly clock: Clock;
  readonly ids: UuidSource;
  /** A random number between 0 and 1, for jitter. */
  readonly random: () => number;
  readonly limits: Limits;
  /** How long a computed change or a context is tried again when others change the session in between. */
  readonly conflictDeadlineMs: number;
}
