/** How a turn ended. Released turns are not recorded. */
export type TurnOutcome = "completed" | "failed" | "interrupted";

/** The current turn of a session. */
export interface TurnInfo {
  readonly turnId: string;
  readonly owner?: string;
  readonly startedAt: number;
  /** The revision of the commit that began it. It identifies one attempt at a turn: two may begin in one millisecond. */
  readonly startRevision: number;
  /** By wall clock, as of the last renewal. For information only: takeovers are decided by the clock of the lease. */
  readonly expiresAt: number;
  /**
   * Computed when it is read, by the clock of the lease if this process can read it, otherwise by wall time. `expired`: the
   * holder has not renewed in time. The turn stays current until another one takes over.
   */
  readonly status: "running" | "expired";
  /** It was asked to stop. */
  readonly interrupted: boolean;
  /** The number of turns that wait for it. */
  readonly waiting: number;
}

/** The turn that ended last. */
export interface LastTurn {
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  readonly endedAt: number;
  readonly error?: string;
}
