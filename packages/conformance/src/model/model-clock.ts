import {
  type CommitOutcome,
  type CommitRequest,
  SERVER_DOMAIN,
  type SessionBackend,
} from "@sessions/protocol/backend";

const HOUR_MS = 3_600_000;
/** Less than the time that a tombstone is kept, also for a session that expired a day before. */
const MAX_ELAPSED_MS = 5 * 24 * HOUR_MS;

/** The time of requests. The sequence moves it forwards and backwards, but never beyond the lifetime of tombstones. */
export class ModelClock {
  readonly startedAt: number = Date.now();
  now: number = this.startedAt;
  /** The time of leases, which never goes back. */
  monotonic = 0;
  /** The last time that a store with its own clock has returned. */
  #lastStoreTime = this.startedAt;
  readonly storeHasClock: boolean;

  constructor(storeHasClock: boolean) {
    this.storeHasClock = storeHasClock;
  }

  advance(milliseconds: number): number {
    const next = this.now + milliseconds;
    this.monotonic += Math.max(0, milliseconds);
    if (next - this.startedAt < MAX_ELAPSED_MS) this.now = Math.max(this.startedAt, next);
    return this.now;
  }

  /**
   * The request with the time at which the store has applied it. A store with its own clock does not return the time of a
   * refusal. That is between its last answer and now, and a lease may have ended in between: hence two candidates.
   */
  withStoreTime(
    request: CommitRequest,
    outcome: CommitOutcome,
  ): readonly [CommitRequest, ...CommitRequest[]] {
    if (!this.storeHasClock) return [request];
    if (outcome.status === "applied" || outcome.status === "unchanged") {
      this.#lastStoreTime = outcome.at;
      return [atStoreTime(request, outcome.at)];
    }
    return [atStoreTime(request, this.#lastStoreTime), atStoreTime(request, Date.now())];
  }
}

function atStoreTime(request: CommitRequest, at: number): CommitRequest {
  return { ...request, at, leaseTime: { domain: SERVER_DOMAIN, now: at } };
}

/** Whether the store replaces the time of a request by its own. */
export async function storeHasClock(backend: SessionBackend): Promise<boolean> {
  const at = Date.now() - HOUR_MS;
  const ops = [
    { op: "append", messages: [{ id: "m", role: "user", content: "what time is it?" }], onExisting: "fail" },
  ] as const;
  const [outcome] = await backend.commit([{ sessionId: "model-clock", id: "clock", at, ops }]);
  await backend.commit([{ sessionId: "model-clock", id: "clock-gone", at, ops: [{ op: "delete" }] }]);
  if (outcome?.status !== "applied")
    throw new Error(`the first append to a new session must be applied, not ${outcome?.status}`);
  return outcome.at !== at;
}
