import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";

/** A commit that is computed from what the session is: it is planned when its turn in the queue has come. */
export interface PlannedCommit {
  /** Reads, plans, commits, and does so again if somebody was faster. */
  run(): Promise<CommitOutcome>;
}

/** How much goes into one batch. */
const MAX_BATCH = 512;

/** A commit in the queue, and whom to tell what became of it. */
export interface Waiting {
  readonly commit: CommitRequest | PlannedCommit;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
  readonly forget: () => void;
}

/** How many batches of a session may be under way at once. */
const MOST_AHEAD = 2;

/** What waits to be sent to one session, in the order of the calls, and what was sent. */
export class Lane {
  readonly sessionId: string;
  /** Batches that were sent and have not settled: more than one only where the backend says so. */
  underWay = 0;
  /** Whether the batch that was sent last must be written before the next one. */
  isSending = false;
  /** Whether the next batch is about to be taken. */
  isGathering = false;
  #waiting: Waiting[] = [];

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  get isFull(): boolean {
    return this.underWay >= MOST_AHEAD;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get isPlannedNext(): boolean {
    const [next] = this.#waiting;
    return next !== undefined && isPlanned(next.commit);
  }

  push(waiting: Waiting): void {
    this.#waiting.push(waiting);
  }

  /** `false` if it is not there any more. */
  takeBack(waiting: Waiting): boolean {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  /** The next planned commit alone, or the run of requests up to the next planned one, at most so many. */
  take(most: number): readonly Waiting[] {
    if (this.#waiting.length === 1) return this.#takeOnly(); // nearly always
    const planned = this.#waiting.findIndex(({ commit }) => isPlanned(commit));
    const run = planned < 0 ? this.#waiting.length : Math.max(planned, 1);
    const batch = this.#waiting.splice(0, Math.min(run, most, MAX_BATCH));
    for (const waiting of batch) waiting.forget();
    return batch;
  }

  #takeOnly(): readonly Waiting[] {
    const batch = this.#waiting;
    this.#waiting = [];
    batch[0]?.forget();
    return batch;
  }
}

export function isPlanned(commit: CommitRequest | PlannedCommit): commit is PlannedCommit {
  return "run" in commit;
}
