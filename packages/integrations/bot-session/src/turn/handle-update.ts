import {
  type BeginTurnResult,
  type Message,
  remove,
  type Session,
  SessionError,
  type Turn,
} from "@sessions/protocol";
import { isPrompt } from "@sessions/turn-runner";
import type { BotReply } from "../bot-reply.js";
import { markOf } from "../conversation/settled-mark.js";
import { patiently } from "../retry-call.js";
import type { Settings } from "../settings.js";
import { AnswerUpdate } from "./answer-update.js";
import { beginUpdate } from "./begin-update.js";
import { replyIn, settledReply } from "./stored-reply.js";
import type { UpdateRequest } from "./update-request.js";
import { judging } from "./validate-update.js";

type Begun = Extract<BeginTurnResult, { readonly status: "begun" }>;

/** Answers an update that has no answer yet, or tells what another delivery of it came to meanwhile. */
export async function handleUpdate(
  settings: Settings,
  request: UpdateRequest,
  entered: () => void,
): Promise<BotReply> {
  try {
    const begun = await judging(request.update, () => beginUpdate(settings, request, entered));
    if (begun.status === "duplicate") return (await settled(settings, request)) ?? forgotten(request, begun);
    return await answered(settings, request, begun, entered);
  } catch (error) {
    const instead = mayBeSettled(error) ? await settled(settings, request) : undefined;
    if (instead === undefined) throw error;
    return { ...instead, duplicate: false };
  }
}

/** What is known of it is taken as it was first delivered: its sender may have another name by now. */
export function asDelivered(request: UpdateRequest, held: Message | undefined): UpdateRequest {
  return held !== undefined && isPrompt(held) ? { ...request, prompt: held } : request;
}

async function answered(
  settings: Settings,
  request: UpdateRequest,
  { turn, session }: Begun,
  entered: () => void,
): Promise<BotReply> {
  const { sessionId, turnId, deadline } = request;
  const isLive = session.messages.some(({ id }) => id === turnId);
  const { meanwhile, belongs } = await orRelease(turn, () => lookAgain(settings, request, session));
  if (meanwhile !== undefined || belongs !== sessionId) {
    const ops = meanwhile === undefined && isLive ? [remove(turnId)] : [];
    await orRelease(turn, () => patiently(settings, (options) => turn.commit(ops, options)));
    await turn.release();
    return meanwhile ?? handleUpdate(settings, { ...request, sessionId: belongs }, entered);
  }
  const run = new AnswerUpdate(settings, request, turn, session);
  const { messages, revision } = await run.run(deadline.signal);
  return { outcome: "answered", reply: replyIn(messages), messages, sessionId, revision, duplicate: false };
}

/** What happened while it waited: a turn of another update may have settled it, and it may belong elsewhere by now. */
async function lookAgain(
  settings: Settings,
  request: UpdateRequest,
  { messages }: Session,
): Promise<{ readonly meanwhile: BotReply | undefined; readonly belongs: string }> {
  const { sessionId, turnId } = request;
  const prompt = messages.find(({ id }) => id === turnId);
  const isOpen = prompt !== undefined && markOf(prompt) === undefined;
  const reply = isOpen ? undefined : await settled(settings, request);
  if (reply !== undefined) return { meanwhile: { ...reply, duplicate: false }, belongs: sessionId };
  return { meanwhile: undefined, belongs: await request.confirmed(sessionId) };
}

/** Nobody else would end the turn, and it renews itself. If even that fails, its lease runs out. */
async function orRelease<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await Promise.allSettled([turn.release()]);
    throw error;
  }
}

function settled(settings: Settings, { sessionId, turnId }: UpdateRequest): Promise<BotReply | undefined> {
  return settledReply(settings, sessionId, turnId);
}

/**
 * Taken from it by a reset, a newer message, or a turn that answered both: that is no failure. Or stored, though the store
 * failed after that: then it is no failure either.
 */
function mayBeSettled(error: unknown): boolean {
  return (
    SessionError.is(error) && (error.retryable || SessionError.is(error, "TURN_LOST", "MESSAGE_ID_TAKEN"))
  );
}

/** It was completed, and its messages are gone since: destroyed by a reset. */
function forgotten(
  { sessionId }: UpdateRequest,
  { session }: Extract<BeginTurnResult, { readonly status: "duplicate" }>,
): BotReply {
  return {
    outcome: "answered",
    reply: undefined,
    messages: [],
    sessionId,
    revision: session.revision,
    duplicate: true,
  };
}
