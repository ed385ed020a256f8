import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { CommitSink, Settlement, Settlements } from "./commit-sink.js";
import { isPlanned, Lane, type PlannedCommit, type Waiting } from "./lane.js";

/** Fewer callers than this go together: two waits for the disk would cost more than they save. */
const FEWEST_TO_HALVE = 16;

const NOW: Promise<void> = Promise.resolve();

/**
 * First in, first out for each session, by call order. While one batch is being made durable the next one gathers:
 * that is group commit. A planned commit runs alone, at its place in the order.
 *
 * Written with callbacks: every await between a call and the disk is paid by every commit.
 */
export class CommitQueue {
  readonly #sink: CommitSink;
  readonly #lanes = new Map<string, Lane>();
  /** Who was served last will come again: its lane stays until that of another is idle too. */
  #idle: Lane | undefined;
  /** Whether the backend takes a batch before the last one has settled. */
  #ahead = false;
  #drained: () => void = nothing;

  constructor(sink: CommitSink) {
    this.#sink = sink;
  }

  /** Resolves with what `told` makes of the outcome. An abort takes back what has not been sent yet. */
  enqueue<Result>(
    sessionId: string,
    commit: CommitRequest | PlannedCommit,
    told: (outcome: CommitOutcome) => Result,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const lane = this.#lane(sessionId);
      const answer = (outcome: CommitOutcome): void => {
        try {
          resolve(told(outcome));
        } catch (error) {
          reject(error);
        }
      };
      if (signal === undefined) this.#push(lane, { commit, resolve: answer, reject, forget: nothing });
      else this.#push(lane, untilAborted(lane, { commit, resolve: answer, reject }, signal));
    });
  }

  /** Resolves when everything that was enqueued has settled. */
  async drain(): Promise<void> {
    while (this.#busy > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  /** How many lanes have something to do. */
  get #busy(): number {
    return this.#lanes.size - (this.#idle === undefined ? 0 : 1);
  }

  #lane(sessionId: string): Lane {
    if (this.#idle?.sessionId === sessionId) return this.#woken(this.#idle);
    const existing = this.#lanes.get(sessionId);
    if (existing !== undefined) return existing;
    const lane = new Lane(sessionId);
    this.#lanes.set(sessionId, lane);
    return lane;
  }

  #woken(lane: Lane): Lane {
    this.#idle = undefined;
    return lane;
  }

  #push(lane: Lane, waiting: Waiting): void {
    lane.push(waiting);
    this.#sendSoon(lane);
  }

  /** Not at once: callers of the same tick go together. */
  #sendSoon(lane: Lane): void {
    if (lane.isSending || lane.isGathering) return;
    lane.isGathering = true;
    const send = (): void => {
      lane.isGathering = false;
      this.#sendNext(lane);
    };
    // Those who were answered just now may want to go together again.
    if (lane.underWay > 0) void manyMicrotasks().then(send);
    // By a promise: Node's queueMicrotask makes a resource of its own for each.
    else void NOW.then(send);
  }

  #sendNext(lane: Lane): void {
    if (lane.isFull || lane.isSending) return; // comes again when one has landed
    if (lane.length === 0) {
      this.#leaveIfIdle(lane); // all was taken back meanwhile
      return;
    }
    if (lane.isPlannedNext && lane.underWay > 0) return; // it reads what they write
    // A backend that takes batches ahead gets two halves: callers of one are served while the disk works on the other.
    const halves = this.#ahead && lane.underWay === 0 && lane.length >= FEWEST_TO_HALVE;
    this.#send(lane, lane.take(halves ? Math.ceil(lane.length / 2) : lane.length));
  }

  #send(lane: Lane, batch: readonly Waiting[]): void {
    lane.underWay++;
    lane.isSending = true;
    let isLast = true;
    const mayFollow = (): void => {
      if (!isLast) return;
      isLast = false;
      lane.isSending = false;
    };
    const written = (): void => {
      this.#ahead = true;
      mayFollow();
      if (lane.length > 0) this.#sendSoon(lane);
    };
    const landed = (): void => {
      mayFollow();
      lane.underWay--;
      if (lane.length > 0) this.#sendSoon(lane);
      else this.#leaveIfIdle(lane);
    };
    const answer = (settlements: readonly Settlement[]): void => {
      settle(batch, settlements);
      landed();
    };
    const settling = this.#settlements(batch, written);
    if (!("then" in settling)) answer(settling);
    else
      void settling.then(answer, (error: unknown) => {
        rejectAll(batch, error);
        landed();
      });
  }

  #leaveIfIdle(lane: Lane): void {
    if (lane.length > 0 || lane.underWay > 0 || lane.isGathering) return;
    if (this.#idle !== undefined) this.#lanes.delete(this.#idle.sessionId);
    this.#idle = lane;
    if (this.#busy === 0) this.#drained();
  }

  #settlements(batch: readonly Waiting[], written: () => void): Settlements {
    const [first] = batch;
    if (first !== undefined && isPlanned(first.commit)) {
      return first.commit.run().then((value) => [{ status: "fulfilled", value }]);
    }
    return this.#sink.commit(requestsOf(batch), written, this.#busy === 1);
  }
}

/** The same, and it is taken back when the signal aborts. */
function untilAborted(lane: Lane, commit: Omit<Waiting, "forget">, signal: AbortSignal): Waiting {
  const takeBack = (): void => {
    if (!lane.takeBack(waiting)) return; // sent already: it settles with its true outcome
    waiting.forget();
    waiting.reject(signal.reason);
  };
  const waiting = { ...commit, forget: () => signal.removeEventListener("abort", takeBack) };
  signal.addEventListener("abort", takeBack, { once: true });
  return waiting;
}

function requestsOf(batch: readonly Waiting[]): readonly CommitRequest[] {
  const requests: CommitRequest[] = [];
  for (const { commit } of batch) if (!isPlanned(commit)) requests.push(commit);
  return requests;
}

function settle(batch: readonly Waiting[], settlements: readonly Settlement[]): void {
  batch.forEach((waiting, index) => {
    const settlement = settlements[index];
    if (settlement?.status === "fulfilled") waiting.resolve(settlement.value);
    else waiting.reject(settlement?.reason);
  });
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const waiting of batch) waiting.reject(error);
}

function nothing(): void {
  // Nothing was listened to, or nobody waits.
}

/** Enough for a caller to come from one answer to its next call. */
async function manyMicrotasks(): Promise<void> {
  for (let passed = 0; passed < 32; passed++) await Promise.resolve();
}
