import {
  type Message,
  type MutationResult,
  SessionError,
  type SessionStore,
  type Turn,
} from "@sessions/protocol";
import type { TurnResult } from "../turn-result.js";
import { resultOf } from "./result-of.js";
import { type Retrying, retried } from "./retried.js";

/** A turn that has completed, and what it wrote. */
export interface CompletedTurn {
  readonly store: SessionStore;
  readonly turn: Turn;
  /** The messages of the answer, in order. */
  readonly messageIds: readonly string[];
  readonly patience: Retrying;
}

/**
 * The result of a turn, as it is stored. An answer that was written whole by the last commit is known from that; any other
 * is read. If it cannot be read, the caller is told that it is stored: OUTCOME_UNKNOWN, and the same turn id tells it.
 */
export async function savedResult(completed: CompletedTurn, saved: MutationResult): Promise<TurnResult> {
  const { sessionId, turnId } = completed.turn;
  const messages = written(completed, saved) ?? (await read(completed));
  return resultOf({ sessionId, turnId, duplicate: false, revision: saved.revision }, messages);
}

function written(
  { messageIds }: CompletedTurn,
  { messages }: MutationResult,
): readonly Message[] | undefined {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const own = messageIds.flatMap((id) => byId.get(id) ?? []);
  return own.length === messageIds.length ? own : undefined;
}

async function read({ store, turn, messageIds, patience }: CompletedTurn): Promise<readonly Message[]> {
  const { sessionId, turnId } = turn;
  try {
    return await retried(patience, () => store.getMessages(sessionId, messageIds));
  } catch (cause) {
    const message = `Turn "${turnId}" is completed and stored, but its answer could not be read; see the cause. The same turnId tells it.`;
    throw SessionError.of("OUTCOME_UNKNOWN", message, { commitId: turnId, sessionId, cause });
  }
}
