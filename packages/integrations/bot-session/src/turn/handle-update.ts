import {
  type BeginTurnResult,
  type Message,
  remove,
  type Session,
  SessionError,
  type Turn,
} from "@sessions/protocol";
import { isPrompt, leaseRetryPolicy, retry } from "@sessions/turn-runner";
import type { BotReply } from "../bot-reply.js";
import { settledMark } from "../conversation/settled-mark.js";
import type { Settings } from "../settings.js";
import { AnswerUpdate } from "./answer-update.js";
import { beginUpdate } from "./begin-update.js";
import { findReply, replyText } from "./stored-reply.js";
import type { UpdateRequest } from "./update-request.js";
import { validateUpdate } from "./validate-update.js";

type Begun = Extract<BeginTurnResult, { readonly status: "begun" }>;
type Duplicate = Extract<BeginTurnResult, { readonly status: "duplicate" }>;

/** Answers an update that has no answer yet, or returns the reply of another delivery that was faster. */
export async function handleUpdate(
  settings: Settings,
  request: UpdateRequest,
  entered: () => void,
): Promise<BotReply> {
  try {
    const begun = await validateUpdate(request.update, () => beginUpdate(settings, request, entered));
    if (begun.status === "duplicate") return (await reply(settings, request)) ?? destroyed(request, begun);
    return await answer(settings, request, begun, entered);
  } catch (error) {
    const other = mayBeSettled(error) ? await reply(settings, request) : undefined;
    if (other === undefined) throw error;
    return { ...other, duplicate: false };
  }
}

/** The request with the prompt as it was first delivered: the sender's name may have changed since. */
export function asDelivered(request: UpdateRequest, stored: Message | undefined): UpdateRequest {
  return stored !== undefined && isPrompt(stored) ? { ...request, prompt: stored } : request;
}

async function answer(
  settings: Settings,
  request: UpdateRequest,
  { turn, session }: Begun,
  entered: () => void,
): Promise<BotReply> {
  const { sessionId, turnId, deadline } = request;
  const isLive = session.messages.some(({ id }) => id === turnId);
  const { settled, conversation } = await orRelease(turn, () => lookAgain(settings, request, session));
  if (settled !== undefined || conversation !== sessionId) {
    const ops = settled === undefined && isLive ? [remove(turnId)] : [];
    await orRelease(turn, () => retry(leaseRetryPolicy(settings), (options) => turn.commit(ops, options)));
    await turn.release();
    return settled ?? handleUpdate(settings, { ...request, sessionId: conversation }, entered);
  }
  const run = new AnswerUpdate(settings, request, turn, session);
  const { messages, revision } = await run.run(deadline.signal);
  return {
    outcome: "answered",
    reply: replyText(messages),
    messages,
    sessionId,
    revision,
    duplicate: false,
    sent: false,
  };
}

/** While the update waited, another turn may have settled it, or its person may have moved to another conversation. */
async function lookAgain(
  settings: Settings,
  request: UpdateRequest,
  { messages }: Session,
): Promise<{ readonly settled: BotReply | undefined; readonly conversation: string }> {
  const { sessionId, turnId } = request;
  const prompt = messages.find(({ id }) => id === turnId);
  const isOpen = prompt !== undefined && settledMark(prompt) === undefined;
  const settled = isOpen ? undefined : await reply(settings, request);
  if (settled !== undefined) return { settled: { ...settled, duplicate: false }, conversation: sessionId };
  return { settled: undefined, conversation: await request.confirmed(sessionId) };
}

/** Releases the turn if the work fails, because its renewal would keep it running. If the release fails too, its lease expires. */
async function orRelease<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await Promise.allSettled([turn.release()]);
    throw error;
  }
}

function reply(settings: Settings, { sessionId, turnId }: UpdateRequest): Promise<BotReply | undefined> {
  return findReply(settings, sessionId, turnId);
}

/**
 * Whether an update may be settled although its turn failed: a reset, a newer message or a merged turn has settled it, or its own end
 * was stored and the store failed afterwards.
 */
function mayBeSettled(error: unknown): boolean {
  return (
    SessionError.is(error) && (error.retryable || SessionError.is(error, "TURN_LOST", "MESSAGE_ID_TAKEN"))
  );
}

/** The update completed, and a reset has destroyed its messages since. */
function destroyed({ sessionId }: UpdateRequest, { session }: Duplicate): BotReply {
  return {
    outcome: "answered",
    reply: undefined,
    messages: [],
    sessionId,
    revision: session.revision,
    duplicate: true,
    sent: false,
  };
}
