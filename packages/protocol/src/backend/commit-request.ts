import type { Json } from "../json/json.js";
import type { Operation } from "../operations/operation.js";

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
  /** Kept with a caller's commit id and given back to a repeat. */
  readonly receipt?: Json;
}
