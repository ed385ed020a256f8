import {
  type Message,
  type MutationResult,
  SessionError,
  type SessionStore,
  type Turn,
} from "@sessions/protocol";
import { type RetryPolicy, retry } from "../saving/retry.js";
import { type TurnResult, turnResult } from "./turn-result.js";

/** A turn that has completed. */
export interface CompletedTurn {
  readonly store: SessionStore;
  readonly turn: Turn;
  /** The messages of the answer, in order. */
  readonly messageIds: readonly string[];
  readonly policy: RetryPolicy;
}

/**
 * The result of a completed turn, as it is stored. An answer that the last commit has written whole is in the commit's result;
 * any other is read. OUTCOME_UNKNOWN if it cannot be read: it is stored, and the same turn id returns it.
 */
export async function storedResult(completed: CompletedTurn, commit: MutationResult): Promise<TurnResult> {
  const { sessionId, turnId } = completed.turn;
  const messages = writtenBy(commit, completed) ?? (await read(completed));
  return turnResult({ sessionId, turnId, duplicate: false, revision: commit.revision }, messages);
}

function writtenBy(
  { messages }: MutationResult,
  { messageIds }: CompletedTurn,
): readonly Message[] | undefined {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const own = messageIds.flatMap((id) => byId.get(id) ?? []);
  return own.length === messageIds.length ? own : undefined;
}

async function read({ store, turn, messageIds, policy }: CompletedTurn): Promise<readonly Message[]> {
  const { sessionId, turnId } = turn;
  try {
    return await retry(policy, () => store.getMessages(sessionId, messageIds));
  } catch (cause) {
    const message = `Turn "${turnId}" is completed and stored, but its answer could not be read; see the cause. The same turnId tells it.`;
    throw SessionError.of("OUTCOME_UNKNOWN", message, { commitId: turnId, sessionId, cause });
  }
}
