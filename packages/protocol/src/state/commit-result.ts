import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { SessionState } from "./session-state.js";

/** The outcome of a commit, and the state after it. */
export interface CommitResult {
  readonly outcome: CommitOutcome;
  /** The same object as before if nothing changed. */
  readonly state: SessionState | undefined;
}
