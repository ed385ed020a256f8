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

/** How many batches of a session may be under way at once. */
const MOST_AHEAD = 2;

/** Fewer callers than this go together: two waits for the disk would cost more than they save. */
const FEWEST_TO_SHARE = 16;

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
  /** Whether the backend takes a batch before the last one has settled. */
  #ahead = false;

  constructor(sink: CommitSink) {
    this.#sink = sink;
  }

  /** Resolves with the outcome. An abort takes back what has not been sent yet. */
  enqueue(
    sessionId: string,
    commit: CommitRequest | PlannedCommit,
    signal?: AbortSignal,
  ): Promise<CommitOutcome> {
    if (signal !== undefined) return this.#enqueueUnlessAborted(sessionId, commit, signal);
    return new Promise((resolve, reject) => {
      this.#lane(sessionId).push({ commit, resolve, reject, forget: nothing });
    });
  }

  #enqueueUnlessAborted(
    sessionId: string,
    commit: CommitRequest | PlannedCommit,
    signal: AbortSignal,
  ): Promise<CommitOutcome> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const lane = this.#lane(sessionId);
      const takeBack = (): void => {
        const index = lane.indexOf(waiting);
        if (index < 0) return; // sent already: it settles with its true outcome
        lane.splice(index, 1);
        waiting.forget();
        reject(signal.reason);
      };
      const forget = (): void => signal.removeEventListener("abort", takeBack);
      const waiting: Waiting = { commit, resolve, reject, forget };
      signal.addEventListener("abort", takeBack, { once: true });
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
    const flight = new Flight();
    while (lane.length > 0 || flight.size > 0) {
      if (lane.length === 0 || flight.isFull) await flight.landing();
      else await this.#send(lane, flight);
      if (flight.size > 0) await manyMicrotasks(); // those who were answered just now may want to go together again
    }
    this.#lanes.delete(sessionId);
  }

  /** Sends the next batch. Resolves when another one may follow. */
  async #send(lane: Waiting[], flight: Flight): Promise<void> {
    if (lane[0] !== undefined && isPlanned(lane[0].commit)) await flight.landed(); // it reads what they have written
    // A backend that takes batches ahead gets two halves: callers of one are served while the disk works on the other.
    const share = this.#ahead && flight.size === 0 ? Math.ceil(lane.length / 2) : lane.length;
    const batch = takeBatch(lane, lane.length < FEWEST_TO_SHARE ? lane.length : share);
    await new Promise<void>((resolve) => {
      const written = (): void => {
        this.#ahead = true;
        resolve();
      };
      flight.add(this.#settle(batch, written).then(resolve));
    });
  }

  /** Never rejects: whatever goes wrong reaches the callers of the batch, and the lane goes on. */
  async #settle(batch: readonly Waiting[], written: () => void): Promise<void> {
    try {
      const settlements = await this.#settlements(batch, written);
      batch.forEach((waiting, index) => {
        const settlement = settlements[index];
        if (settlement?.status === "fulfilled") waiting.resolve(settlement.value);
        else waiting.reject(settlement?.reason);
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }

  async #settlements(batch: readonly Waiting[], written: () => void): Promise<readonly Settlement[]> {
    const [first] = batch;
    if (first !== undefined && isPlanned(first.commit)) {
      return [{ status: "fulfilled", value: await first.commit.run() }];
    }
    const requests = batch.flatMap(({ commit }) => (isPlanned(commit) ? [] : [commit]));
    return this.#sink.commit(requests, written);
  }
}

function nothing(): void {
  // Nothing was listened to.
}

/** The batches of a session that are under way: more than one only where the backend says so. */
class Flight {
  readonly #batches = new Set<Promise<void>>();

  get size(): number {
    return this.#batches.size;
  }

  get isFull(): boolean {
    return this.#batches.size >= MOST_AHEAD;
  }

  add(batch: Promise<void>): void {
    const tracked = batch.finally(() => this.#batches.delete(tracked));
    this.#batches.add(tracked);
  }

  /** Resolves when one of them has settled. */
  landing(): Promise<void> {
    return Promise.race(this.#batches);
  }

  /** Resolves when all of them have. */
  async landed(): Promise<void> {
    await Promise.all(this.#batches);
  }
}

/** Enough for a caller to come from one answer to its next call. */
async function manyMicrotasks(): Promise<void> {
  for (let passed = 0; passed < 32; passed++) await Promise.resolve();
}

/** The next planned commit alone, or the run of requests up to the next planned one, at most so many. */
function takeBatch(lane: Waiting[], most: number): readonly Waiting[] {
  const planned = lane.findIndex(({ commit }) => isPlanned(commit));
  const run = planned < 0 ? lane.length : Math.max(planned, 1);
  const batch = lane.splice(0, Math.min(run, most, MAX_BATCH));
  for (const waiting of batch) waiting.forget();
  return batch;
}

function isPlanned(commit: CommitRequest | PlannedCommit): commit is PlannedCommit {
  return "run" in commit;
}
