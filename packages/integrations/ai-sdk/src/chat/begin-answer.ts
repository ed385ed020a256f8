import { type Session, SessionError, type Turn, type TurnInfo } from "@sessions/protocol";
import { retry } from "@sessions/turn-runner";
import { marksOf } from "../messages/stored-message.js";
import { pageRetryPolicy } from "../page-retry-policy.js";
import type { Settings } from "../settings.js";
import type { ChatRequest } from "./chat-request.js";
import { requestName } from "./placement.js";

/** A turn for the answer, or the running turn that answers this very request. */
export type BegunAnswer = { readonly turn: Turn; readonly session: Session } | { readonly running: TurnInfo };

/** Begins the turn of an answer, after the answers before it. */
export async function beginAnswer(
  settings: Settings,
  sessionId: string,
  request: ChatRequest,
): Promise<BegunAnswer> {
  const { store, newId, ttlMs, waitMs, owner } = settings;
  const turnId = newId();
  const begin = async (wait: number): Promise<BegunAnswer> => {
    const begun = await retry(pageRetryPolicy(settings), () =>
      store.beginTurn(sessionId, { turnId, ttlMs, waitMs: wait, ...owner }),
    );
    if (begun.status === "begun") return begun;
    throw new TypeError(`Turn "${turnId}" is new and has ended.`);
  };
  try {
    return await begin(0);
  } catch (error) {
    if (!SessionError.is(error, "TURN_BUSY")) throw error;
  }
  const session = await retry(pageRetryPolicy(settings), () => store.getSession(sessionId));
  const running = session?.turn;
  if (running?.status === "running" && isAnswering(session, running, request)) return { running };
  // A page that edits a question or asks it again does not want the running answer.
  if (running !== undefined && replacesAnswer(request))
    await interruptAnswer(settings, sessionId, running, false);
  return begin(waitMs);
}

export async function interruptAnswer(
  settings: Settings,
  sessionId: string,
  { turnId }: TurnInfo,
  force: boolean,
): Promise<void> {
  await retry(pageRetryPolicy(settings), () => settings.store.interruptTurn(sessionId, { turnId, force }));
}

function isAnswering(session: Session | undefined, { turnId }: TurnInfo, request: ChatRequest): boolean {
  const answer = session?.messages.findLast((message) => marksOf(message).turnId === turnId);
  return answer !== undefined && marksOf(answer).asked === requestName(request);
}

function replacesAnswer({ trigger, messageId, messages }: ChatRequest): boolean {
  return trigger === "regenerate-message" || (messageId !== undefined && messages.at(-1)?.role === "user");
}
