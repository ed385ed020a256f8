import type { Json } from "../json/json.js";
import type { Operation } from "../operations/operation.js";
import type { LeaseVersion } from "../operations/turn-operation.js";
import type { LeaseTime } from "./lease-time.js";

/** A list of operations, applied all or nothing. */
export interface CommitRequest {
  readonly sessionId: string;
  /** The idempotency key: the same id is applied once. */
  readonly id: string;
  /** Of what the caller gave; present exactly when the caller chose the id. */
  readonly digest?: string;
  /** Now, in milliseconds since the epoch. A store with a clock of its own (a server) puts its own time here. */
  readonly at: number;
  /** Milliseconds since this request was first sent; present when it is sent again. */
  readonly ageMs?: number;
  /** An empty list asks only whether the commit id is known. */
  readonly ops: readonly Operation[];
  readonly ifRevision?: number;
  readonly ifAbsent?: boolean;
  /** TURN_BUSY while a turn runs. */
  readonly ifIdle?: boolean;
  /** The turn token that the writer holds; TURN_LOST when it is no longer current. */
  readonly fence?: string;
  /**
   * The writer's reading of the clock that leases are measured by. A store with a clock of its own (a server) puts its own
   * reading here, in the domain `SERVER_DOMAIN`. Present where the commit takes, renews or judges leases. Requests of earlier
   * versions have none: those were decided by wall time, and come to the same when a journal is read again.
   */
  readonly leaseTime?: LeaseTime;
  /** Leases that the writer has seen unchanged for their whole time to live, by its own monotonic clock. */
  readonly unchangedLeases?: readonly LeaseVersion[];
  /** Kept with a caller's commit id and given back to a repeat. */
  readonly receipt?: Json;
  /** Sent by a timer or a waiting loop, not by a caller: a loss that it meets (DATA_LOST) still has to reach a caller. */
  readonly background?: boolean;
}
