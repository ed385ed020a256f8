import { type OperationInput, SessionError, type SessionSummary, set } from "@sessions/protocol";
import { leaseRetryPolicy, retry } from "@sessions/turn-runner";
import { markSent } from "../conversation/settled-mark.js";
import type { Settings } from "../settings.js";

/** Messages that were archived before their replies were confirmed. Their own metadata cannot change any more. */
const SENT_KEY = "bot.sent";

/** Commands, and answers that a reset or a summary archived before they were sent: a few at a time. */
const MAX_LISTED = 32;

/** Records that the reply to a settled message was sent, in one commit. `false` if its session is gone. */
export async function confirmSent(
  settings: Settings,
  sessionId: string,
  messageId: string,
): Promise<boolean> {
  const { store } = settings;
  try {
    await retry(leaseRetryPolicy(settings), (options) =>
      store.commit(sessionId, [markSent(messageId)], options),
    );
    return true;
  } catch (error) {
    if (SessionError.is(error, "SESSION_NOT_FOUND")) return false;
    if (!SessionError.is(error, "MESSAGE_NOT_FOUND")) throw error;
    return listAsSent(settings, sessionId, messageId);
  }
}

/** Whether a message that is archived was listed as one whose reply was sent. */
export function isListedAsSent(session: SessionSummary | undefined, messageId: string): boolean {
  return listedIn(session).includes(messageId);
}

async function listAsSent(settings: Settings, sessionId: string, messageId: string): Promise<boolean> {
  const { store } = settings;
  let isThere = false;
  const compute = (session: SessionSummary | undefined): readonly OperationInput[] => {
    isThere = session !== undefined;
    if (session === undefined || isListedAsSent(session, messageId)) return [];
    return [set({ metadata: { [SENT_KEY]: [...listedIn(session), messageId].slice(-MAX_LISTED) } })];
  };
  await retry(leaseRetryPolicy(settings), (options) =>
    store.updateSession(sessionId, compute, { ...options, messages: "none" }),
  );
  return isThere;
}

function listedIn(session: SessionSummary | undefined): readonly string[] {
  const listed = session?.metadata[SENT_KEY];
  return Array.isArray(listed) ? listed.filter((id) => typeof id === "string") : [];
}
