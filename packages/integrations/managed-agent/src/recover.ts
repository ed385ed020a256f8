import {
  interruptTurn,
  type OperationInput,
  remove,
  type Session,
  SessionError,
  type SessionStore,
  set,
} from "@sessions/protocol";
import { invalid } from "./argument.js";
import { cutOffIn } from "./cut-off.js";
import type { CutOffTurn, RecoverOptions } from "./recovery.js";
import { KEPT_KEY } from "./session/agent-record.js";
import { sessionNotFound } from "./session/session-not-found.js";
import { type Patience, savePatiently } from "./turn/save-patiently.js";
import { withAnswers } from "./turn/tidied.js";
import { respliced } from "./turn/tidy-history.js";

/** What to do about a turn that was cut off, and where. */
export interface Recovering extends RecoverOptions {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly newId: () => string;
  readonly patience: Patience;
}

/**
 * Keeps or discards what a cut-off turn left, in one commit that also takes its lease away. Before it nothing has
 * happened, after it everything; a late holder can write nothing any more.
 */
export async function settleCutOff(recovering: Recovering): Promise<CutOffTurn | undefined> {
  const { store, sessionId, signal, patience } = recovering;
  let found: CutOffTurn | undefined;
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    found = requireRecoverable(session, recovering);
    return found === undefined || session === undefined ? [] : settlement(session, found, recovering);
  };
  // Under one commit id: a repeat is told what the first sending did, and does not look again at what it left.
  await savePatiently(patience, (options) =>
    store.updateSession(sessionId, compute, { ...options, messages: "all", signal }),
  );
  return found;
}

/**
 * Makes way for another attempt at a cut-off turn, and tells what it was asked. A lease that has expired is taken over
 * by the attempt itself.
 */
export async function clearForRetry(recovering: Recovering): Promise<CutOffTurn | undefined> {
  const { store, sessionId, signal, patience } = recovering;
  let found: CutOffTurn | undefined;
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    found = requireRecoverable(session, recovering);
    if (found === undefined) return [];
    const { turnId, prompt, status } = found;
    if (prompt === undefined)
      throw invalid(
        "strategy",
        `cannot be "retry": the prompt of turn "${turnId}" is gone. Keep or discard it.`,
      );
    return status === "running" ? [interruptTurn({ turnId, force: true })] : [];
  };
  // Under one commit id: a repeat is told what the first sending did, and does not look again at what it left.
  await savePatiently(patience, (options) =>
    store.updateSession(sessionId, compute, { ...options, messages: "all", signal }),
  );
  return found;
}

function requireRecoverable(
  session: Session | undefined,
  { sessionId, force = false, cutOff }: Recovering,
): CutOffTurn | undefined {
  if (session === undefined) throw sessionNotFound(sessionId);
  const found = cutOffIn(session);
  if (found !== undefined && cutOff !== undefined && !isSameAttempt(found, cutOff)) return undefined;
  if (found?.status === "running" && !force) throw stillRunning(session, found);
  return found;
}

function isSameAttempt(one: CutOffTurn, other: CutOffTurn): boolean {
  // Of an attempt that has ended its revision is not known: when it ended, and what it had said, tell it apart.
  const ids = (turn: CutOffTurn): string => JSON.stringify(turn.messages.map(({ id }) => id));
  return (
    one.turnId === other.turnId &&
    one.startRevision === other.startRevision &&
    one.endedAt === other.endedAt &&
    ids(one) === ids(other)
  );
}

function settlement(
  session: Session,
  { turnId, prompt, messages }: CutOffTurn,
  { strategy, newId }: Recovering,
): readonly OperationInput[] {
  const over = interruptTurn({ turnId, force: true });
  if (strategy === "keep") {
    const answered = respliced(session.messages, withAnswers(session.messages, newId));
    return [over, ...answered, set({ metadata: { [KEPT_KEY]: turnId } })];
  }
  const ids = [...(prompt === undefined ? [] : [prompt]), ...messages].map((message) => message.id);
  return ids.length === 0 ? [over] : [over, remove(ids)];
}

function stillRunning({ id, turn }: Session, { turnId }: CutOffTurn): SessionError {
  const owner = turn?.owner === undefined ? {} : { owner: turn.owner };
  return SessionError.of(
    "TURN_BUSY",
    `Turn "${turnId}" still has its lease. Wait until it expires, or use force if its process is dead.`,
    { sessionId: id, turnId, ...owner, ...(turn === undefined ? {} : { expiresAt: turn.expiresAt }) },
  );
}
