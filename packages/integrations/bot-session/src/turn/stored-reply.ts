import { type Message, SessionError } from "@sessions/protocol";
import { answerText } from "@sessions/turn-runner";
import type { BotReply } from "../bot-reply.js";
import { markOf, type PromptMark } from "../conversation/settled-mark.js";
import { patiently } from "../retry-call.js";
import type { Settings } from "../settings.js";

/** The messages of an update: its own, and those under which it was asked again because that was archived. */
export function promptName(turnId: string, attempt: number): string {
  return attempt === 1 ? turnId : `${turnId}~${attempt}`;
}

/** What the store knows of an update. */
export interface KnownUpdate {
  /** Its own message, as it was first delivered. */
  readonly held?: Message;
  readonly mark?: PromptMark;
  /** How often it was asked. 0: never. */
  readonly asked: number;
}

/** Finds an update by the ids of its messages: live or archived, however long ago it came. */
export async function knownUpdate(
  settings: Settings,
  sessionId: string,
  turnId: string,
): Promise<KnownUpdate> {
  const held = await heldMessage(settings, sessionId, turnId);
  if (held === undefined) return { asked: 0 };
  let last: Message | undefined = held;
  for (let asked = 1; ; asked++) {
    const mark = markOf(last);
    if (mark !== undefined) return { held, mark, asked };
    last = await heldMessage(settings, sessionId, promptName(turnId, asked + 1));
    if (last === undefined) return { held, asked };
  }
}

/** The reply to an update that was dealt with; `undefined` for one that was not. */
export async function settledReply(
  settings: Settings,
  sessionId: string,
  turnId: string,
): Promise<BotReply | undefined> {
  const { mark } = await knownUpdate(settings, sessionId, turnId);
  return mark === undefined ? undefined : replyOf(settings, sessionId, turnId, mark);
}

/** What the caller of an update is told that was dealt with before. */
export async function replyOf(
  settings: Settings,
  sessionId: string,
  turnId: string,
  mark: PromptMark,
): Promise<BotReply> {
  const { store, reset } = settings;
  const isMerged = mark.turnId !== turnId;
  const ids = isMerged ? [] : mark.replyIds;
  const messages = ids.length === 0 ? [] : await patiently(settings, () => store.getMessages(sessionId, ids));
  const session = await patiently(settings, () => store.getSession(sessionId, { messages: "none" }));
  return {
    outcome: isMerged && mark.outcome === "answered" ? "merged" : mark.outcome,
    reply: mark.outcome === "reset" ? reset.reply : replyIn(messages),
    messages,
    sessionId,
    revision: session?.revision ?? 0,
    duplicate: true,
  };
}

/** What a user is told; `undefined` where no answer was given. */
export function replyIn(messages: readonly Message[]): string | undefined {
  return messages.some(({ role }) => role === "assistant") ? answerText(messages) : undefined;
}

/** A message, live or archived. */
export async function heldMessage(
  settings: Settings,
  sessionId: string,
  messageId: string,
): Promise<Message | undefined> {
  try {
    const read = (): Promise<readonly Message[]> => settings.store.getMessages(sessionId, [messageId]);
    return (await patiently(settings, read))[0];
  } catch (error) {
    if (SessionError.is(error, "SESSION_NOT_FOUND")) return undefined;
    throw error;
  }
}
