import { type Message, SessionError } from "@sessions/protocol";
import { answerText, leaseRetryPolicy, retry } from "@sessions/turn-runner";
import type { BotReply } from "../bot-reply.js";
import { isMarkedSent, type SettledMark, settledMark } from "../conversation/settled-mark.js";
import type { Settings } from "../settings.js";
import { isListedAsSent } from "./confirm-sent.js";

/** The id of an update's message: a prompt that was archived without an answer is asked again under another id. */
export function promptId(turnId: string, attempt: number): string {
  return attempt === 1 ? turnId : `${turnId}~${attempt}`;
}

/** The stored state of an update. */
export interface StoredUpdate {
  /** Its message, as it was first delivered. */
  readonly message?: Message;
  readonly mark?: SettledMark;
  /** The message with the mark. */
  readonly settled?: Message;
  /** How often it was asked. 0: never. */
  readonly attempts: number;
}

/** Finds an update by the ids of its messages, live or archived. */
export async function findUpdate(
  settings: Settings,
  sessionId: string,
  turnId: string,
): Promise<StoredUpdate> {
  const message = await readMessage(settings, sessionId, turnId);
  if (message === undefined) return { attempts: 0 };
  let last: Message | undefined = message;
  for (let attempts = 1; ; attempts++) {
    const mark = settledMark(last);
    if (mark !== undefined) return { message, settled: last, mark, attempts };
    last = await readMessage(settings, sessionId, promptId(turnId, attempts + 1));
    if (last === undefined) return { message, attempts };
  }
}

/** The stored reply to an update; `undefined` if it is not settled. */
export async function findReply(
  settings: Settings,
  sessionId: string,
  turnId: string,
): Promise<BotReply | undefined> {
  return storedReply(settings, sessionId, turnId, await findUpdate(settings, sessionId, turnId));
}

/** The reply to an update that was settled before; `undefined` if it is not settled. */
export async function storedReply(
  settings: Settings,
  sessionId: string,
  turnId: string,
  { mark, settled }: StoredUpdate,
): Promise<BotReply | undefined> {
  if (mark === undefined || settled === undefined) return undefined;
  const { store, reset } = settings;
  const isMerged = mark.turnId !== turnId;
  const ids = isMerged ? [] : mark.replyIds;
  const messages =
    ids.length === 0 ? [] : await retry(leaseRetryPolicy(settings), () => store.getMessages(sessionId, ids));
  const session = await retry(leaseRetryPolicy(settings), () =>
    store.getSession(sessionId, { messages: "none" }),
  );
  return {
    outcome: isMerged && mark.outcome === "answered" ? "merged" : mark.outcome,
    reply: mark.outcome === "reset" ? reset.reply : replyText(messages),
    messages,
    sessionId,
    revision: session?.revision ?? 0,
    duplicate: true,
    sent: isMarkedSent(settled) || isListedAsSent(session, settled.id),
  };
}

/** The text for the user; `undefined` if there is no answer. */
export function replyText(messages: readonly Message[]): string | undefined {
  return messages.some(({ role }) => role === "assistant") ? answerText(messages) : undefined;
}

/** Reads a message, live or archived. */
export async function readMessage(
  settings: Settings,
  sessionId: string,
  messageId: string,
): Promise<Message | undefined> {
  try {
    const [message] = await retry(leaseRetryPolicy(settings), () =>
      settings.store.getMessages(sessionId, [messageId]),
    );
    return message;
  } catch (error) {
    if (SessionError.is(error, "SESSION_NOT_FOUND")) return undefined;
    throw error;
  }
}
