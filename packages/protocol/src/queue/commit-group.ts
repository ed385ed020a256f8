import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";

/** The caller that waits for a commit. */
interface Caller {
  readonly sessionId: string;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that waits to be sent. */
export interface WaitingRequest extends Caller {
  readonly kind: "request";
  readonly request: CommitRequest;
  /** Approximate size in bytes. */
  readonly bytes: number;
  /** Whether a planned commit sends it. Everything else of the session waits for that commit. */
  readonly isOfPlan: boolean;
}

/** A commit that is computed from the session's current state. It is planned when everything before it has settled. */
export interface WaitingPlan extends Caller {
  readonly kind: "plan";
  /** Reads, plans and sends. Repeats that if another process changed the session in between. */
  readonly run: () => Promise<CommitOutcome>;
}

export type WaitingCommit = WaitingRequest | WaitingPlan;

/** The commits that one backend call may contain: those of the store, or those of one session. In call order. */
export class CommitGroup {
  #waiting: WaitingCommit[] = [];
  /** Sessions with a running planned commit. Later commits of the session wait for it. */
  readonly #planning = new Set<string>();
  /** Whether its commits are being sent. */
  isSending = false;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isIdle(): boolean {
    return this.isEmpty && this.#planning.size === 0 && !this.isSending;
  }

  push(waiting: WaitingCommit): void {
    this.#waiting.push(waiting);
  }

  /** Removes a commit that is still queued. `false` if it was already sent. */
  takeBack(waiting: WaitingCommit): boolean {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  /**
   * Takes the oldest requests that fit into a batch, and the plans whose session has nothing before them that is sent
   * or queued.
   */
  take(fits: (bytes: number) => boolean): { requests: WaitingRequest[]; plans: WaitingPlan[] } {
    const requests: WaitingRequest[] = [];
    const plans: WaitingPlan[] = [];
    let left: WaitingCommit[] = [];
    const inBatch = new Set<string>();
    const blocked = new Set(this.#planning);
    for (const [index, waiting] of this.#waiting.entries()) {
      const { sessionId } = waiting;
      if (waiting.kind === "plan") {
        const isFirst = !blocked.has(sessionId) && !inBatch.has(sessionId);
        blocked.add(sessionId);
        if (isFirst) plans.push(waiting);
        else left.push(waiting);
      } else if (blocked.has(sessionId) && !waiting.isOfPlan) left.push(waiting);
      else if (fits(waiting.bytes)) {
        inBatch.add(sessionId);
        requests.push(waiting);
      } else {
        left = left.concat(this.#waiting.slice(index)); // not `push(...)`: there may be more than a call can have arguments
        break;
      }
    }
    for (const { sessionId } of plans) this.#planning.add(sessionId);
    this.#waiting = left;
    return { requests, plans };
  }

  /** Call this when a planned commit has settled. */
  settled({ sessionId }: WaitingPlan): void {
    this.#planning.delete(sessionId);
  }
}
