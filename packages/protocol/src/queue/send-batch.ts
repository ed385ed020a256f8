import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { SessionBackend } from "../backend/session-backend.js";
import { SessionError } from "../errors/session-error.js";
import type { Clock } from "../platform/clock.js";
import { isEvaluated, mayBeApplied, outcomeUnknown, resent } from "./resent.js";

/** The outcome of a request, or the reason why there is none. */
export type Settlement = PromiseSettledResult<CommitOutcome>;

/** Sends requests to the backend, in order, and returns what happened to each. Never rejects. */
export type SendBatch = (requests: readonly CommitRequest[]) => Promise<readonly Settlement[]>;

/** Makes one backend call for each batch. If the whole batch fails, its requests are sent again one by one. */
export function batchSender(backend: Pick<SessionBackend, "commit">, clock: Clock): SendBatch {
  return async (requests) => {
    const sentAt = clock.monotonic();
    try {
      const outcomes = await backend.commit(requests);
      return requests.map((request, index) => settlementOf(request, outcomes[index]));
    } catch (error) {
      if (requests.length === 1 || failsAlike(error))
        return requests.map((request) => failed(request, error));
      const commit = (request: CommitRequest) => backend.commit([resent(request, clock, sentAt)]);
      return oneByOne(requests, { commit, inDoubt: mayBeApplied(error) });
    }
  };
}

/** Whether each request alone would fail in the same way. */
function failsAlike(error: unknown): boolean {
  return SessionError.is(error, "STORE_UNAVAILABLE", "STORE_CLOSED", "FORMAT_UNSUPPORTED", "DATA_LOST");
}

function settlementOf(request: CommitRequest, outcome: CommitOutcome | undefined): Settlement {
  if (outcome === undefined) return failed(request, new Error("The backend gave no outcome."));
  return { status: "fulfilled", value: forCaller(request, outcome) };
}

function failed(request: CommitRequest, error: unknown): Settlement {
  return { status: "rejected", reason: asSessionError(error, request) };
}

/**
 * A generated commit id belongs to one call. A duplicate means that an earlier attempt of the same request was applied
 * and its reply was lost. For the caller that is not a duplicate.
 */
function forCaller(request: CommitRequest, outcome: CommitOutcome): CommitOutcome {
  if (outcome.status !== "duplicate" || request.digest !== undefined) return outcome;
  const { receipt: _, ...rest } = outcome;
  return { ...rest, status: "applied" };
}

interface SecondSending {
  readonly commit: (request: CommitRequest) => Promise<readonly CommitOutcome[]>;
  /** Whether the first attempt may have been applied. */
  readonly inDoubt: boolean;
}

// Commit ids make this safe: a request that the failed batch did apply is a duplicate now. In order, and each failure
// goes to its own caller.
async function oneByOne(
  requests: readonly CommitRequest[],
  sending: SecondSending,
): Promise<readonly Settlement[]> {
  const settlements: Settlement[] = [];
  for (const request of requests) settlements.push(await sentAlone(request, sending));
  return settlements;
}

/** A failed second attempt says nothing about the first one. If that may have been applied, the outcome stays unknown. */
async function sentAlone(request: CommitRequest, { commit, inDoubt }: SecondSending): Promise<Settlement> {
  const unsure = (error: unknown): Settlement =>
    failed(request, inDoubt && !SessionError.is(error, "DATA_LOST") ? outcomeUnknown(request, error) : error);
  try {
    const [outcome] = await commit(request);
    // Some backends report a failing engine as a rejection. Only an evaluated request shows whether the first attempt
    // was applied.
    if (outcome?.status === "rejected" && !isEvaluated(outcome.error)) return unsure(outcome.error);
    return settlementOf(request, outcome);
  } catch (error) {
    return unsure(error);
  }
}

// After an unexpected error, the backend may have applied the commit.
function asSessionError(error: unknown, request: CommitRequest): SessionError {
  if (SessionError.is(error) && !SessionError.is(error, "OUTCOME_UNKNOWN")) return error;
  return SessionError.is(error, "OUTCOME_UNKNOWN") && error.commitId === request.id
    ? error
    : outcomeUnknown(request, error);
}
