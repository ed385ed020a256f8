import {
  type CommitOutcome,
  type CommitRequest,
  SERVER_DOMAIN,
  type SessionBackend,
} from "@sessions/protocol/backend";

const HOUR_MS = 3_600_000;
/** Well within the time that a tombstone is kept, also that of a session which expired the day before. */
const FARTHEST_MS = 5 * 24 * HOUR_MS;

/** Time as requests carry it: it jumps as the sequence says, and never out of the time that tombstones are kept. */
export class ModelClock {
  readonly startedAt: number = Date.now();
  now: number = this.startedAt;
  /** Time as leases are measured by: it never goes back. */
  monotonic = 0;
  /** The last time that a store with a clock of its own has told. */
  #told = this.startedAt;
  readonly storeHasClock: boolean;

  constructor(storeHasClock: boolean) {
    this.storeHasClock = storeHasClock;
  }

  pass(milliseconds: number): number {
    const next = this.now + milliseconds;
    this.monotonic += Math.max(0, milliseconds);
    if (next - this.startedAt < FARTHEST_MS) this.now = Math.max(this.startedAt, next);
    return this.now;
  }

  /**
   * The request with the time at which the store has judged it. A refusal of a store with a clock of its own does not
   * tell the time: then it was at some time since the last answer, and a lease may have ended in between.
   */
  asJudged(request: CommitRequest, outcome: CommitOutcome): readonly [CommitRequest, ...CommitRequest[]] {
    if (!this.storeHasClock) return [request];
    if (outcome.status === "applied" || outcome.status === "unchanged") {
      this.#told = outcome.at;
      return [judgedAt(request, outcome.at)];
    }
    return [judgedAt(request, this.#told), judgedAt(request, Date.now())];
  }
}

function judgedAt(request: CommitRequest, at: number): CommitRequest {
  return { ...request, at, leaseTime: { domain: SERVER_DOMAIN, now: at } };
}

/** Whether the store puts its own time in the place of a request's. */
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
