import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { CommitSink, Settlement } from "./commit-sink.js";
import { Flight } from "./flight.js";
import { isPlanned, Lane, type PlannedCommit, type Waiting } from "./lane.js";

/** Fewer callers than this go together: two waits for the disk would cost more than they save. */
const FEWEST_TO_HALVE = 16;

/**
 * First in, first out for each session, by call order. While one batch is being made durable the next one gathers:
 * that is group commit. A planned commit runs alone, at its place in the order.
 */
export class CommitQueue {
  readonly #sink: CommitSink;
  readonly #lanes = new Map<string, Lane>();
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
        if (!lane.takeBack(waiting)) return; // sent already: it settles with its true outcome
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

  #lane(sessionId: string): Lane {
    const existing = this.#lanes.get(sessionId);
    if (existing !== undefined) return existing;
    const lane = new Lane();
    this.#lanes.set(sessionId, lane);
    const running = this.#work(sessionId, lane).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return lane;
  }

  async #work(sessionId: string, lane: Lane): Promise<void> {
    await Promise.resolve(); // callers of the same tick go together
    const flight = new Flight();
    while (lane.length > 0 || flight.size > 0) {
      if (flight.isFull) await flight.landing();
      else if (lane.length === 0) await Promise.race([flight.landing(), lane.arrival()]);
      else await this.#send(lane, flight);
    }
    this.#lanes.delete(sessionId);
  }

  /** Sends the next batch. Resolves when another one may follow. */
  async #send(lane: Lane, flight: Flight): Promise<void> {
    if (flight.size > 0) await manyMicrotasks(); // those who were answered just now may want to go together again
    if (lane.isPlannedNext) await flight.landed(); // it reads what they have written
    if (lane.length === 0) return; // all was taken back meanwhile
    // A backend that takes batches ahead gets two halves: callers of one are served while the disk works on the other.
    const halves = this.#ahead && flight.size === 0 && lane.length >= FEWEST_TO_HALVE;
    const batch = lane.take(halves ? Math.ceil(lane.length / 2) : lane.length);
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

/** Enough for a caller to come from one answer to its next call. */
async function manyMicrotasks(): Promise<void> {
  for (let passed = 0; passed < 32; passed++) await Promise.resolve();
}
