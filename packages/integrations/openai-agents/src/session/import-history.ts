import type { Session as AgentSession } from "@openai/agents";
import { append, type OperationInput, type Session, type SessionStore, set } from "@sessions/protocol";
import { messageOf } from "../items/item-message.js";
import { retryCall } from "../retry-call.js";

const IMPORTED_KEY = "openai-agents.imported";

/**
 * Copies the items of an earlier session, once: into one that is new or empty, in one commit that also says so. Whichever
 * of several processes comes first does it; where there are messages already, nothing is copied.
 */
export async function importHistory(
  store: SessionStore,
  sessionId: string,
  from: AgentSession,
): Promise<void> {
  const present = await retryCall(() => store.getSession(sessionId, { messages: "none" }));
  if (!isToImport(present)) return;
  const messages = (await from.getItems()).map((item) => messageOf(item));
  const imported = [append(messages), set({ metadata: { [IMPORTED_KEY]: true } })];
  const compute = (session: Session | undefined): readonly OperationInput[] =>
    isToImport(session) ? imported : [];
  await retryCall((options) => store.updateSession(sessionId, compute, { ...options, messages: "none" }));
}

function isToImport(session: Session | undefined): boolean {
  return session === undefined || (session.messageCount === 0 && session.metadata[IMPORTED_KEY] !== true);
}
