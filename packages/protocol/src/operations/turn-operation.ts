/** Joins the queue for a turn. Sent again, it renews the ticket without raising the revision. */
export interface QueueTurnOperation {
  readonly op: "turn";
  readonly action: "queue";
  readonly ticket: string;
  readonly turnId: string;
  readonly owner?: string;
  readonly ttlMs: number;
}

/** Leaves the queue. */
export interface LeaveTurnOperation {
  readonly op: "turn";
  readonly action: "leave";
  readonly ticket: string;
}

/** A lease as of one renewal. */
export interface LeaseVersion {
  /** The token of a turn, or the ticket of a waiter. */
  readonly token: string;
  readonly renewals: number;
}

/**
 * Begins a turn. Its token is the commit's revision and the nonce. If the turn id has completed before, the whole commit is a
 * no-op (`finished` in the outcome). An expired turn is taken over, and its partial messages are marked interrupted.
 */
export interface BeginTurnOperation {
  readonly op: "turn";
  readonly action: "begin";
  readonly turnId: string;
  readonly nonce: string;
  readonly owner?: string;
  readonly ttlMs: number;
  /** The ticket of the queue, if the turn waited. */
  readonly ticket?: string;
  /** `unchangedLeases` of the request, as earlier versions wrote it. */
  readonly stale?: readonly LeaseVersion[];
}

/** Renews the turn of the commit's `fence`. A commit with no other operation does not raise the revision. */
export interface RenewTurnOperation {
  readonly op: "turn";
  readonly action: "renew";
}

/** Asks a turn to stop; `force` ends it. A no-op if no turn runs, or another one. */
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
  /** The id of a `completed` turn is remembered; other turns may begin again. A `released` turn is not recorded. */
  readonly outcome: "completed" | "failed" | "interrupted" | "released";
  readonly error?: string;
  /**
   * Whether the session's partial messages are finished or marked interrupted. Only a completed turn may finish them. They
   * are marked interrupted if this is absent (a request of an earlier version, or another outcome).
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
