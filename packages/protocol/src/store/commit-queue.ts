import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { CommitSink, Settlement } from "./commit-sink.js";

/** A commit that is computed from what the session is: it is planned when its turn in the queue has come. */
export interface PlannedCommit {
  /** Reads, plans, commits, and does so again if somebody was faster. */
  run(): Promise<CommitOutcome>;
}

/** How much goes into one batch. */
const MAX_BATCH = 512;

interface Waiting {
  readonly commit: CommitRequest | PlannedCommit;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
  readonly forget: () => void;
}

/**
 * First in, first out for each session, by call order. While one batch is being made durable the next one gathers:
 * that is group commit. A planned commit runs alone, at its place in the order.
 */
export class CommitQueue {
  readonly #sink: CommitSink;
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(sink: CommitSink) {
    this.#sink = sink;
  }

  /** Resolves with the outcome. An abort takes back what has not been sent yet. */
  enqueue(
    sessionId: string,
    commit: CommitRequest | PlannedCommit,
    signal?: AbortSignal,
  ): Promise<CommitOutcome> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const lane = this.#lane(sessionId);
      const takeBack = (): void => {
        const index = lane.indexOf(waiting);
        if (index < 0) return; // sent already: it settles with its true outcome
        lane.splice(index, 1);
        waiting.forget();
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        commit,
        resolve,
        reject,
        forget: () => signal?.removeEventListener("abort", takeBack),
      };
      signal?.addEventListener("abort", takeBack, { once: true });
      lane.push(waiting);
    });
  }

  /** Resolves when everything that was enqueued has settled. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #lane(sessionId: string): Waiting[] {
    const existing = this.#lanes.get(sessionId);
    if (existing !== undefined) return existing;
    const lane: Waiting[] = [];
    this.#lanes.set(sessionId, lane);
    const running = this.#work(sessionId, lane).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return lane;
  }

  async #work(sessionId: string, lane: Waiting[]): Promise<void> {
    await Promise.resolve(); // callers of the same tick go together
    while (lane.length > 0) await this.#settle(takeBatch(lane));
    this.#lanes.delete(sessionId);
  }

  /** Never rejects: whatever goes wrong reaches the callers of the batch, and the lane goes on. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const settlements = await this.#settlements(batch);
      batch.forEach((waiting, index) => {
        const settlement = settlements[index];
        if (settlement?.status === "fulfilled") waiting.resolve(settlement.value);
        else waiting.reject(settlement?.reason);
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }

  async #settlements(batch: readonly Waiting[]): Promise<readonly Settlement[]> {
    const [first] = batch;
    if (first !== undefined && isPlanned(first.commit)) {
      return [{ status: "fulfilled", value: await first.commit.run() }];
    }
    return this.#sink.commit(batch.flatMap(({ commit }) => (isPlanned(commit) ? [] : [commit])));
  }
}

/** The next planned commit alone, or the run of requests up to the next planned one. */
function takeBatch(lane: Waiting[]): readonly Waiting[] {
  const planned = lane.findIndex(({ commit }) => isPlanned(commit));
  const run = planned < 0 ? lane.length : Math.max(planned, 1);
  const batch = lane.splice(0, Math.min(run, MAX_BATCH));
  for (const waiting of batch) waiting.forget();
  return batch;
}

function isPlanned(commit: CommitRequest | PlannedCommit): commit is PlannedCommit {
  return "run" in commit;
}
