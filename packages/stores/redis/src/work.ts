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
  /** The call before, which has not ended yet: nothing of this one may come before it. */
  before: Ahead | undefined;
  /** To be called once the next call may follow. */
  readonly written: () => void;
}

/** A call that was sent and not answered yet. */
export interface Ahead {
  readonly lastId: string;
  ended: Promise<unknown>;
}

/** Waits for the call before. Whatever became of it, its callers are told. */
export async function callBefore(work: Work): Promise<void> {
  const { before } = work;
  work.before = undefined;
  await Promise.allSettled([before?.ended]);
}
