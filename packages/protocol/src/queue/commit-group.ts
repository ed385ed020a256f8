import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";

/** Who waits for a commit. */
interface Caller {
  readonly sessionId: string;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that waits to be sent. */
export interface WaitingRequest extends Caller {
  readonly kind: "request";
  readonly request: CommitRequest;
  /** About how many bytes it carries. */
  readonly bytes: number;
  /** Whether a planned commit sends it: everything else of its session waits for that one. */
  readonly isOfPlan: boolean;
}

/** A commit that is computed from what the session is: it is planned when everything before it has settled. */
export interface WaitingPlan extends Caller {
  readonly kind: "plan";
  /** Reads, plans, sends, and does so again if another process was faster. */
  readonly run: () => Promise<CommitOutcome>;
}

export type WaitingCommit = WaitingRequest | WaitingPlan;

/** Commits that one call of the backend may carry: those of a store, or of one session. In the order of the calls. */
export class CommitGroup {
  #waiting: WaitingCommit[] = [];
  /** Sessions with a planned commit under way: what was called after it waits for it. */
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

  /** `false` if it was sent already. */
  takeBack(waiting: WaitingCommit): boolean {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  /** Takes the oldest requests that fit into a batch, and the plans that nothing of their session is sent or waits before. */
  take(fits: (bytes: number) => boolean): { requests: WaitingRequest[]; plans: WaitingPlan[] } {
    const requests: WaitingRequest[] = [];
    const plans: WaitingPlan[] = [];
    const left: WaitingCommit[] = [];
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
        left.push(...this.#waiting.slice(index));
        break;
      }
    }
    for (const { sessionId } of plans) this.#planning.add(sessionId);
    this.#waiting = left;
    return { requests, plans };
  }

  /** A planned commit has settled. */
  settled({ sessionId }: WaitingPlan): void {
    this.#planning.delete(sessionId);
  }
}
