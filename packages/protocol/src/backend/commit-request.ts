import type { Json } from "../json/json.js";
import type { Operation } from "../operations/operation.js";
import type { LeaseVersion } from "../operations/turn-operation.js";
import type { LeaseTime } from "./lease-time.js";

/** A list of operations, applied all or nothing. */
export interface CommitRequest {
  readonly sessionId: string;
  /** The idempotency key: the same id is applied once. */
  readonly id: string;
  /** The digest of what the caller passed. Present exactly if the caller chose the id. */
  readonly digest?: string;
  /** Now, in milliseconds since the epoch. A store with a server replaces it with the server's time. */
  readonly at: number;
  /** Milliseconds since this request was first sent. Present if it is sent again. */
  readonly ageMs?: number;
  /** An empty list asks only whether the commit id is known. */
  readonly ops: readonly Operation[];
  readonly ifRevision?: number;
  readonly ifAbsent?: boolean;
  /** TURN_BUSY while a turn runs. */
  readonly ifIdle?: boolean;
  /** The token of the writer's turn. TURN_LOST if it is no longer current. */
  readonly fence?: string;
  /**
   * The time on the writer's lease clock. A store with a server replaces it with the server's time, in the domain
   * `SERVER_DOMAIN`. Present if the commit takes, renews or checks leases. Requests of earlier versions have none: they were
   * decided by wall time, and have the same outcome when a journal is replayed.
   */
  readonly leaseTime?: LeaseTime;
  /** Leases that the writer has observed unchanged for their whole time to live, by its own monotonic clock. */
  readonly unchangedLeases?: readonly LeaseVersion[];
  /** Stored with a caller's commit id, and returned when the commit is sent again. */
  readonly receipt?: Json;
  /** Sent by a timer or a waiting loop, not by a caller: a DATA_LOST that it meets must still be reported to a caller. */
  readonly background?: boolean;
}
