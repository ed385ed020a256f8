/** How a turn ended. `released` turns leave no trace, so they are never listed. */
export type TurnOutcome = "completed" | "failed" | "interrupted";

/** The turn that holds a session now. */
export interface TurnInfo {
  readonly turnId: string;
  readonly owner?: string;
  readonly startedAt: number;
  /** The revision that it began with. It tells attempts at the same turn apart: two may begin in one millisecond. */
  readonly startRevision: number;
  /** By wall clock, as of its last renewal. It decides nothing: takeovers go by the clock of the lease. */
  readonly expiresAt: number;
  /**
   * Derived when it is read: by the clock that the lease is measured by, if this process can read it, else by wall time.
   * `expired`: its holder has not renewed in time; it is still current until somebody takes over.
   */
  readonly status: "running" | "expired";
  /** Somebody asked it to stop. */
  readonly interrupted: boolean;
  /** How many wait behind it. */
  readonly waiting: number;
}

/** The turn that ended last. */
export interface LastTurn {
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  readonly endedAt: number;
  readonly error?: string;
}
