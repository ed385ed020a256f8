import type { Session as AgentSession } from "@openai/agents";
import { append, type OperationInput, type Session, type SessionStore, set } from "@sessions/protocol";
import { retry } from "@sessions/turn-runner";
import { messageOf } from "../items/item-message.js";
import { SESSION_RETRY_POLICY } from "./session-retry-policy.js";

const IMPORTED_KEY = "openai-agents.imported";

/**
 * Copies the items of an earlier session into one that is new or empty. The commit also marks the session, so that of several processes
 * only the first copies, and a session that was cleared later stays empty.
 */
export async function importHistory(
  store: SessionStore,
  sessionId: string,
  from: AgentSession,
): Promise<void> {
  const session = await retry(SESSION_RETRY_POLICY, () => store.getSession(sessionId, { messages: "none" }));
  if (!needsImport(session)) return;
  const messages = (await from.getItems()).map((item) => messageOf(item));
  const imported = [append(messages), set({ metadata: { [IMPORTED_KEY]: true } })];
  const compute = (current: Session | undefined): readonly OperationInput[] =>
    needsImport(current) ? imported : [];
  await retry(SESSION_RETRY_POLICY, (options) =>
    store.updateSession(sessionId, compute, { ...options, messages: "none" }),
  );
}

function needsImport(session: Session | undefined): boolean {
  return session === undefined || (session.messageCount === 0 && session.metadata[IMPORTED_KEY] !== true);
}
