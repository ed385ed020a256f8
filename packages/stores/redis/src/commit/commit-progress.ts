import type { CommitOutcome, CommitRequest } from "@sessions/protocol/backend";
import type { Deadline } from "../engine/deadline.js";

/** Requests of one session that are being carried out, in their order. */
export interface CommitProgress {
  readonly sessionId: string;
  deadline: Deadline;
  /** Those that are not decided yet. */
  rest: readonly CommitRequest[];
  readonly outcomes: CommitOutcome[];
  /** Whether a call got no reply, so that the rest may have been applied. */
  isUnanswered: boolean;
  /** Whether the next request is no plain append, or turned out to be none. */
  isGeneral: boolean;
  /** How often the next request was tried. */
  tries: number;
}

/** The next requests are decided. */
export function settle(progress: CommitProgress, outcomes: readonly CommitOutcome[]): void {
  for (const outcome of outcomes) progress.outcomes.push(outcome);
  progress.rest = progress.rest.slice(outcomes.length);
  progress.isGeneral = false;
  progress.tries = 0;
}
