import {
  append,
  count,
  type OperationInput,
  SessionError,
  type SessionStore,
  type Turn,
} from "@sessions/protocol";
import { answerOpenCalls } from "../history/answer-open-calls.js";
import { turnMessages } from "../replay/turn-messages.js";
import { isTransient } from "../saving/is-transient.js";
import { type RetryPolicy, retry } from "../saving/retry.js";
import { saveWhatFits } from "../saving/save-what-fits.js";

/** The end of a turn that did not complete. */
export interface FailedEnd {
  readonly store: SessionStore;
  readonly turn: Turn;
  readonly policy: RetryPolicy;
  readonly cause: unknown;
  readonly outcome: "failed" | "interrupted";
  /** The part of the answer that is not stored. Absent: some of it may be stored, and it is unknown which part. */
  readonly rest?: readonly OperationInput[];
  readonly counters: Readonly<Record<string, number>>;
  /** Further operations for the commit that ends the turn. */
  readonly endOperations: readonly OperationInput[];
}

/**
 * Ends a turn that did not complete, and keeps as much of its answer as possible. While the store refuses the commit, it is sent
 * with less: with as much of the answer as fits, then without counters, at last with nothing but the end.
 */
export async function endFailedTurn(end: FailedEnd): Promise<void> {
  const { rest, endOperations } = end;
  const counted = Object.keys(end.counters).length === 0 ? [] : [count(end.counters)];
  if (rest !== undefined && (await isEnded(end, [...rest, ...counted, ...endOperations]))) return;
  const results = await missingResults(end);
  const attempts = [
    [...results, ...counted, ...endOperations],
    [...results, ...endOperations],
    endOperations,
  ];
  for (const ops of attempts) if (await isEnded(end, ops)) return;
  await end.turn.fail(end.cause, [], { outcome: end.outcome });
}

/** `false` if the store refuses these operations; it may take fewer. */
async function isEnded(
  { turn, policy, cause, outcome }: FailedEnd,
  ops: readonly OperationInput[],
): Promise<boolean> {
  try {
    await retry(policy, (options) => turn.fail(cause, ops, { ...options, outcome }));
    return true;
  } catch (error) {
    if (isTransient(error) || SessionError.is(error, "TURN_LOST", "STORE_CLOSED")) throw error;
    return false;
  }
}

/** Saves what fits of the answer, and appends an error result for each call that this leaves open. */
async function missingResults(end: FailedEnd): Promise<readonly OperationInput[]> {
  const { store, turn, policy, rest = [] } = end;
  try {
    await saveWhatFits(rest, (ops) => retry(policy, (options) => turn.commit(ops, options)));
    const { answers } = await retry(policy, () => turnMessages(store, turn.sessionId, turn.turnId));
    const stored = new Set(answers.map(({ id }) => id));
    const missing = answerOpenCalls(answers, policy.newId).filter(({ id }) => !stored.has(id));
    return missing.length === 0 ? [] : [append(missing)];
  } catch {
    // The turn must end all the same: the next turn answers open calls. If the store is gone, the commit that ends the turn says so.
    return [];
  }
}
