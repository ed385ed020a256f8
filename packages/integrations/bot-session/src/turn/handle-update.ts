import { type BeginTurnResult, SessionError } from "@sessions/protocol";
import type { BotReply } from "../bot-reply.js";
import { markOf } from "../conversation/prompt-mark.js";
import type { Settings } from "../settings.js";
import { AnswerUpdate } from "./answer-update.js";
import { beginUpdate } from "./begin-update.js";
import { replyIn, settledReply } from "./settled-reply.js";
import type { UpdateRequest } from "./update-request.js";

/** Answers an update, or tells what was answered before. */
export async function handleUpdate(
  settings: Settings,
  request: UpdateRequest,
  entered: () => void,
): Promise<BotReply> {
  const { store, clock, deadlineMs } = settings;
  const { sessionId, turnId } = request;
  const until = clock.monotonic() + deadlineMs;
  const settled = (): Promise<BotReply | undefined> => settledReply(store, sessionId, turnId);
  const before = await settled();
  if (before !== undefined) return before;
  try {
    const begun = await beginUpdate(settings, request, entered);
    if (begun.status === "duplicate") return (await settled()) ?? forgotten(request, begun);
    // A turn of another update may have settled this one while it waited.
    const prompt = begun.session.messages.find(({ id }) => id === turnId);
    const isOpen = prompt !== undefined && markOf(prompt) === undefined;
    const meanwhile = isOpen ? undefined : await settled();
    if (meanwhile !== undefined) {
      await begun.turn.release();
      return { ...meanwhile, duplicate: false };
    }
    const run = new AnswerUpdate(settings, request, begun.turn, begun.session);
    const { messages, revision } = await run.run(Math.max(1, until - clock.monotonic()));
    return { outcome: "answered", reply: replyIn(messages), messages, sessionId, revision, duplicate: false };
  } catch (error) {
    // Taken from it by a reset, a newer message, or a turn that answered both. That is no failure.
    const isTaken = SessionError.is(error, "TURN_LOST", "MESSAGE_ID_TAKEN");
    const instead = isTaken ? await settled() : undefined;
    if (instead === undefined) throw error;
    return { ...instead, duplicate: false };
  }
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
