import { answerText } from "@sessions/managed-agent/building-blocks";
import { type Message, SessionError, type SessionStore } from "@sessions/protocol";
import type { BotReply } from "../bot-reply.js";
import { markOf, type PromptMark } from "../conversation/prompt-mark.js";

/** The messages of an update: its own, and those under which it was asked again because that was archived. */
export function promptName(turnId: string, attempt: number): string {
  return attempt === 1 ? turnId : `${turnId}~${attempt}`;
}

/** What the store knows of an update. */
export interface KnownUpdate {
  readonly mark?: PromptMark;
  /** How often it was asked. 0: never. */
  readonly asked: number;
}

/** Finds an update by the ids of its messages: live or archived, however long ago it came. */
export async function knownUpdate(
  store: SessionStore,
  sessionId: string,
  turnId: string,
): Promise<KnownUpdate> {
  for (let asked = 0; ; asked++) {
    const held = await heldMessage(store, sessionId, promptName(turnId, asked + 1));
    if (held === undefined) return { asked };
    const mark = markOf(held);
    if (mark !== undefined) return { mark, asked: asked + 1 };
  }
}

/** The reply to an update that was dealt with; `undefined` for one that was not. */
export async function settledReply(
  store: SessionStore,
  sessionId: string,
  turnId: string,
): Promise<BotReply | undefined> {
  const { mark } = await knownUpdate(store, sessionId, turnId);
  return mark === undefined ? undefined : replyOf(store, sessionId, turnId, mark);
}

async function replyOf(
  store: SessionStore,
  sessionId: string,
  turnId: string,
  mark: PromptMark,
): Promise<BotReply> {
  const isMerged = mark.turnId !== turnId;
  const messages = isMerged ? [] : await store.getMessages(sessionId, mark.replyIds);
  const session = await store.getSession(sessionId, { messages: "none" });
  return {
    outcome: isMerged && mark.outcome === "answered" ? "merged" : mark.outcome,
    reply: replyIn(messages),
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

async function heldMessage(
  store: SessionStore,
  sessionId: string,
  messageId: string,
): Promise<Message | undefined> {
  try {
    return (await store.getMessages(sessionId, [messageId]))[0];
  } catch (error) {
    if (SessionError.is(error, "SESSION_NOT_FOUND")) return undefined;
    throw error;
  }
}
