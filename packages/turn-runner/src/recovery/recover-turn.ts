import {
  interruptTurn,
  type OperationInput,
  remove,
  type Session,
  SessionError,
  type SessionStore,
} from "@sessions/protocol";
import { invalid } from "../arguments/invalid.js";
import { answerOpenCalls } from "../history/answer-open-calls.js";
import { recordKept } from "../history/kept-turn.js";
import { resplice } from "../history/resplice.js";
import { type RetryPolicy, retry } from "../saving/retry.js";
import { sessionNotFound } from "../session-not-found.js";
import { type CutOffTurn, cutOffTurn } from "./cut-off-turn.js";

/** What to do with a turn that was cut off. */
export interface TurnRecovery {
  readonly store: SessionStore;
  readonly sessionId: string;
  /**
   * `keep`: the partial answer stays, marked as interrupted, and open tool calls get an error result.
   * `retry`: nothing is removed, but the turn may be run again under its id; `repairHistory` then removes the partial answer.
   * `discard`: the partial answer and its prompt are removed.
   */
  readonly strategy: "keep" | "retry" | "discard";
  /** Recover even if the lease has not expired: only if its process is known to be dead. */
  readonly force?: boolean | undefined;
  /** The turn that the caller has seen. If another turn or another attempt has replaced it, nothing is done. */
  readonly cutOff?: CutOffTurn | undefined;
  readonly policy: RetryPolicy;
}

/**
 * Recovers a cut-off turn in one commit that also takes its lease away, so that a holder that comes back can write nothing more.
 * `undefined` if there is none. TURN_BUSY if its lease has not expired.
 */
export async function recoverTurn(recovery: TurnRecovery): Promise<CutOffTurn | undefined> {
  const { store, sessionId, policy } = recovery;
  const { signal } = policy;
  let found: CutOffTurn | undefined;
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    if (session === undefined) throw sessionNotFound(sessionId);
    found = recoverable(session, recovery);
    return found === undefined ? [] : operations(session, found, recovery);
  };
  // A retry has the same commit id: it returns what the first attempt did, and does not judge what that left.
  await retry(policy, (options) =>
    store.updateSession(sessionId, compute, { ...options, messages: "all", signal }),
  );
  return found;
}

function recoverable(session: Session, { force = false, cutOff }: TurnRecovery): CutOffTurn | undefined {
  const found = cutOffTurn(session);
  if (found !== undefined && cutOff !== undefined && !isSameAttempt(found, cutOff)) return undefined;
  if (found?.status === "running" && !force) throw stillRunning(session, found);
  return found;
}

function isSameAttempt(one: CutOffTurn, other: CutOffTurn): boolean {
  // An attempt that has ended does not show its start revision: its end and its messages identify it.
  const ids = (turn: CutOffTurn): string => JSON.stringify(turn.messages.map(({ id }) => id));
  return (
    one.turnId === other.turnId &&
    one.startRevision === other.startRevision &&
    one.endedAt === other.endedAt &&
    ids(one) === ids(other)
  );
}

function operations(
  session: Session,
  found: CutOffTurn,
  { strategy, policy }: TurnRecovery,
): readonly OperationInput[] {
  const { turnId } = found;
  const end = interruptTurn({ turnId, force: true });
  if (strategy === "retry") return retryOperations(found, end);
  if (strategy === "keep") {
    const answered = resplice(session.messages, answerOpenCalls(session.messages, policy.newId));
    return [end, ...answered, recordKept(turnId)];
  }
  const { prompt, messages } = found;
  const ids = [...(prompt === undefined ? [] : [prompt]), ...messages].map((message) => message.id);
  return ids.length === 0 ? [end] : [end, remove(ids)];
}

/** A lease that has expired is taken over by the next attempt itself. */
function retryOperations(
  { turnId, prompt, status }: CutOffTurn,
  end: OperationInput,
): readonly OperationInput[] {
  if (prompt !== undefined) return status === "running" ? [end] : [];
  throw invalid("strategy", `cannot be "retry": the prompt of turn "${turnId}" is gone. Keep or discard it.`);
}

function stillRunning({ id, turn }: Session, { turnId }: CutOffTurn): SessionError {
  const owner = turn?.owner === undefined ? {} : { owner: turn.owner };
  return SessionError.of(
    "TURN_BUSY",
    `Turn "${turnId}" still has its lease. Wait until it expires, or use force if its process is dead.`,
    { sessionId: id, turnId, ...owner, ...(turn === undefined ? {} : { expiresAt: turn.expiresAt }) },
  );
}
