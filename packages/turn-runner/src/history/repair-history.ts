import {
  type Message,
  type MessageInput,
  type OperationInput,
  type Session,
  type SessionStore,
  type Turn,
  unansweredCalls,
} from "@sessions/protocol";
import { type RetryPolicy, retry } from "../saving/retry.js";
import { answerOpenCalls, type HistoryEntry } from "./answer-open-calls.js";
import { forgetKept, wasKept } from "./kept-turn.js";
import { resplice } from "./resplice.js";
import { isPrompt, turnIdOf } from "./turn-marks.js";

/** How many of the newest messages `repairHistory` needs to see whether a repair is due. Begin the turn with `select: REPAIR_WINDOW`. */
export const REPAIR_WINDOW: { readonly last: number } = { last: 64 };

/** A turn that has begun, and the session as it was read then. */
export interface HistoryRepair {
  readonly store: SessionStore;
  readonly turn: Turn;
  readonly session: Session;
  /** The prompt of the turn, in case that it is no longer live. */
  readonly prompt: MessageInput;
  readonly policy: RetryPolicy;
  /** Further changes of the session, for the same commit. */
  readonly also?: (session: Session) => readonly OperationInput[];
}

/**
 * Repairs what earlier turns left: removes what an earlier attempt at this turn wrote, moves the prompt behind other turns, and
 * adds a result to every call that a crash left open. One commit of the new turn, or none if nothing is wrong. If this turn is
 * cut off too, the next one finds the same and does the same.
 */
export async function repairHistory(repair: HistoryRepair): Promise<void> {
  const { store, turn, session, policy } = repair;
  if (isInOrder(session, repair)) return;
  const compute = (current: Session | undefined): readonly OperationInput[] =>
    current === undefined ? [] : changes(current, repair);
  await retry(policy, (options) =>
    store.updateSession(turn.sessionId, compute, { ...options, messages: "all", fence: turn.token }),
  );
}

/** Judged from the newest messages alone. */
function isInOrder(session: Session, { turn, also }: HistoryRepair): boolean {
  const { turnId } = turn;
  if (wasKept(session, turnId) || (also?.(session) ?? []).length > 0) return false;
  const at = session.messages.findIndex((message) => turnIdOf(message) === turnId);
  const first = session.messages[at];
  const behind = session.messages.slice(at + 1);
  return (
    first !== undefined &&
    isPrompt(first) &&
    behind.every((message) => turnIdOf(message) === undefined) &&
    unansweredCalls(session.messages).length === 0
  );
}

function changes(session: Session, repair: HistoryRepair): readonly OperationInput[] {
  return [
    ...resplice(session.messages, repaired(session.messages, repair)),
    ...(repair.also?.(session) ?? []),
    ...(wasKept(session, repair.turn.turnId) ? [forgetKept()] : []),
  ];
}

function repaired(messages: readonly Message[], repair: HistoryRepair): readonly HistoryEntry[] {
  const { turnId } = repair.turn;
  const { newId } = repair.policy;
  const kept = messages.filter((message) => turnIdOf(message) !== turnId || isPrompt(message));
  const at = kept.findIndex((message) => turnIdOf(message) === turnId);
  const prompt = kept[at];
  // The prompt was archived since: the model must see it once more.
  if (prompt === undefined) return [...answerOpenCalls(kept, newId), { ...repair.prompt, id: newId() }];
  const others = [...kept.slice(0, at), ...kept.slice(at + 1)];
  const isBehind = kept.slice(at + 1).every((message) => turnIdOf(message) === undefined);
  return isBehind ? answerOpenCalls(kept, newId) : [...answerOpenCalls(others, newId), prompt];
}
