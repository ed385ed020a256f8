import type { CommitOutcome, CommitRequest } from "@sessions/protocol/backend";
import type { Deadline } from "./deadline.js";

/** The requests of one call, all for one session, and how far they are. */
export interface Work {
  readonly sessionId: string;
  deadline: Deadline;
  /** What is still to be decided. */
  rest: readonly CommitRequest[];
  readonly outcomes: CommitOutcome[];
  /** Something was sent and not answered: what is left may have been applied. */
  isUnanswered: boolean;
  /** The next one is not plain, or is to be looked at closely. */
  isGeneral: boolean;
  tries: number;
}
