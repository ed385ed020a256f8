/** Takes a place in the order of arrival. Sent again, it renews the ticket, which raises no revision. */
export interface QueueTurnOperation {
  readonly op: "turn";
  readonly action: "queue";
  readonly ticket: string;
  readonly turnId: string;
  readonly owner?: string;
  readonly ttlMs: number;
}

/** Gives a place back. */
export interface LeaveTurnOperation {
  readonly op: "turn";
  readonly action: "leave";
  readonly ticket: string;
}

/** Something that a waiter saw unchanged for its whole time to live, by the waiter's own monotonic clock. */
export interface LeaseVersion {
  /** A turn's token or a waiter's ticket. */
  readonly token: string;
  readonly renewals: number;
}

/**
 * Begins a turn: its token is the commit's revision and the nonce. A finished turn id makes the whole commit a
 * no-op (`finished` in the outcome). Takes over an expired turn, and marks what that left partial as interrupted.
 */
export interface BeginTurnOperation {
  readonly op: "turn";
  readonly action: "begin";
  readonly turnId: string;
  readonly nonce: string;
  readonly owner?: string;
  readonly ttlMs: number;
  /** The place that the beginner waited at. */
  readonly ticket?: string;
  /** The same as the request's `unchangedLeases`, in requests of earlier versions. */
  readonly stale?: readonly LeaseVersion[];
}

/** Keeps the turn of the commit's `fence`. A commit of nothing but this raises no revision. */
export interface RenewTurnOperation {
  readonly op: "turn";
  readonly action: "renew";
}

/** Asks a turn to stop; `force` ends it. Nothing happens where no turn (or another one) runs. */
export interface InterruptTurnOperation {
  readonly op: "turn";
  readonly action: "interrupt";
  readonly turnId?: string;
  readonly force?: boolean;
}

/** Ends the turn of the commit's `fence`. */
export interface EndTurnOperation {
  readonly op: "turn";
  readonly action: "end";
  /** `completed` turn ids are remembered; the others may begin again. `released` leaves no trace at all. */
  readonly outcome: "completed" | "failed" | "interrupted" | "released";
  readonly error?: string;
  /**
   * What becomes of the session's partial messages; only a completed turn may finish them. Absent (a request of an earlier
   * version, or another outcome): they become interrupted.
   */
  readonly drafts?: "finish" | "interrupt";
}

/** Queue for, begin, renew, interrupt or end a turn: a lease with a fencing token. */
export type TurnOperation =
  | QueueTurnOperation
  | LeaveTurnOperation
  | BeginTurnOperation
  | RenewTurnOperation
  | InterruptTurnOperation
  | EndTurnOperation;
