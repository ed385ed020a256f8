import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { SessionBackend } from "../backend/session-backend.js";
import { SessionError } from "../errors/session-error.js";
import type { Clock } from "../names/clock.js";
import { isEvaluated, mayBeApplied, outcomeUnknown, resent } from "./resent.js";

/** What became of a request: its outcome, or why there is none. */
export type Settlement = PromiseSettledResult<CommitOutcome>;

/** At once, where the backend answers at once. */
export type Settlements = Promise<readonly Settlement[]> | readonly Settlement[];

/** Takes requests of one session, and tells what became of each. Never fails as a whole. */
export interface CommitSink {
  /**
   * `written` is called when the next batch of the session may follow, if that is before this one has settled.
   * `isAlone`: nobody else is about to commit, so there is nothing to wait for.
   */
  commit(requests: readonly CommitRequest[], written?: () => void, isAlone?: boolean): Settlements;
}

/** The part of a backend that a sink needs. */
type CommitTarget = Pick<SessionBackend, "commit">;

/** One backend call for each batch. A batch that fails as a whole is tried again one by one. */
export function backendSink(backend: CommitTarget, clock: Clock): CommitSink {
  return {
    commit(requests, written) {
      const sentAt = clock.monotonic();
      const failing = (error: unknown): Settlements => unsettled(backend, requests, error, clock, sentAt);
      try {
        const outcomes = backend.commit(requests, written);
        return "then" in outcomes ? settledLater(requests, outcomes, failing) : settled(requests, outcomes);
      } catch (error) {
        return failing(error);
      }
    },
  };
}

async function settledLater(
  requests: readonly CommitRequest[],
  outcomes: Promise<readonly CommitOutcome[]>,
  failing: (error: unknown) => Settlements,
): Promise<readonly Settlement[]> {
  try {
    return settled(requests, await outcomes);
  } catch (error) {
    return failing(error);
  }
}

function unsettled(
  backend: CommitTarget,
  requests: readonly CommitRequest[],
  error: unknown,
  clock: Clock,
  sentAt: number,
): Settlements {
  const [only] = requests;
  if (requests.length === 1 && only !== undefined) return [failed(error, only)];
  if (SessionError.is(error, "STORE_UNAVAILABLE", "STORE_CLOSED", "FORMAT_UNSUPPORTED", "DATA_LOST"))
    return requests.map((request) => failed(error, request));
  return oneByOne(requests, {
    commit: (request) => backend.commit([resent(request, clock, sentAt)]),
    inDoubt: mayBeApplied(error),
  });
}

interface Gathered {
  readonly requests: readonly CommitRequest[];
  readonly resolve: (settlements: readonly Settlement[]) => void;
  readonly reject: (error: unknown) => void;
}

/** One backend call for the requests of many sessions: for backends whose transactions span them. */
export function gatheringSink(sink: CommitSink): CommitSink {
  let waiting: Gathered[] = [];
  let running = false;
  // With callbacks, as the queue: an await more would be paid by every commit.
  function sendNext(): void {
    running = waiting.length > 0;
    if (!running) return;
    const batch = waiting;
    waiting = [];
    const [only] = batch;
    const requests =
      batch.length === 1 && only !== undefined ? only.requests : batch.flatMap((one) => one.requests);
    const answer = (settlements: readonly Settlement[]): void => {
      handOut(batch, settlements);
      sendNext();
    };
    const settling = sink.commit(requests);
    if (!("then" in settling)) answer(settling);
    else
      void settling.then(answer, (error: unknown) => {
        rejectAll(batch, error);
        sendNext();
      });
  }
  return {
    commit(requests, written, isAlone = false) {
      if (isAlone && !running) {
        running = true;
        const settling = sink.commit(requests, written);
        if ("then" in settling) void settling.then(sendNext, sendNext);
        else sendNext();
        return settling;
      }
      return new Promise((resolve, reject) => {
        waiting.push({ requests, resolve, reject });
        if (running) return;
        running = true;
        void Promise.resolve().then(sendNext); // lanes of the same tick go together
      });
    },
  };
}

function handOut(batch: readonly Gathered[], settlements: readonly Settlement[]): void {
  let from = 0;
  for (const { requests, resolve } of batch) {
    resolve(settlements.slice(from, from + requests.length));
    from += requests.length;
  }
}

function rejectAll(batch: readonly Gathered[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

function settled(
  requests: readonly CommitRequest[],
  outcomes: readonly CommitOutcome[],
): readonly Settlement[] {
  return requests.map((request, index) => settlement(request, outcomes[index]));
}

function settlement(request: CommitRequest, outcome: CommitOutcome | undefined): Settlement {
  if (outcome === undefined) return failed(new Error("The backend gave no outcome."), request);
  return { status: "fulfilled", value: told(request, outcome) };
}

function failed(error: unknown, request: CommitRequest): Settlement {
  return { status: "rejected", reason: asSessionError(error, request) };
}

/**
 * A generated commit id belongs to one call: if it is known, an earlier sending of the same request was applied and
 * its reply lost. To the caller that is no duplicate.
 */
function told(request: CommitRequest, outcome: CommitOutcome): CommitOutcome {
  if (outcome.status !== "duplicate" || request.digest !== undefined) return outcome;
  const { receipt: _, ...rest } = outcome;
  return { ...rest, status: "applied" };
}

interface SecondSending {
  readonly commit: (request: CommitRequest) => ReturnType<SessionBackend["commit"]>;
  /** Whether the first sending may have been applied. */
  readonly inDoubt: boolean;
}

// Commit ids make this safe: what the failed batch applied after all is a duplicate now. In order, and the failure of
// one reaches its own caller.
async function oneByOne(
  requests: readonly CommitRequest[],
  sending: SecondSending,
): Promise<readonly Settlement[]> {
  const settlements: Settlement[] = [];
  for (const request of requests) settlements.push(await sentAlone(request, sending));
  return settlements;
}

/** A second sending that fails says nothing about the first one: what was in doubt stays so. */
async function sentAlone(request: CommitRequest, { commit, inDoubt }: SecondSending): Promise<Settlement> {
  const unsure = (error: unknown): Settlement =>
    failed(inDoubt && !SessionError.is(error, "DATA_LOST") ? outcomeUnknown(request, error) : error, request);
  try {
    const [outcome] = await commit(request);
    // Some backends tell a failing engine as a rejection: only an evaluation shows what became of the first sending.
    if (outcome?.status === "rejected" && !isEvaluated(outcome.error)) return unsure(outcome.error);
    return settlement(request, outcome);
  } catch (error) {
    return unsure(error);
  }
}

// A backend that fails in an unforeseen way may have applied the commit before: nobody can say.
function asSessionError(error: unknown, request: CommitRequest): SessionError {
  if (SessionError.is(error) && !SessionError.is(error, "OUTCOME_UNKNOWN")) return error;
  return SessionError.is(error, "OUTCOME_UNKNOWN") && error.commitId === request.id
    ? error
    : outcomeUnknown(request, error);
}
