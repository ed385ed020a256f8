import { equalJson } from "../../json/equal-json.js";
import type { Message, MessageDraft } from "../../message/message.js";
import type { AppendOperation, OnExisting } from "../../operations/operation.js";
import { type History, isPartial, livePosition, pushed, replaced } from "../history.js";
import { type Apply, refusal, type Step, timed } from "../step.js";

export const applyAppend: Apply<AppendOperation> = (state, op, step) => {
  const history = appendAll(state.history, op.messages, op.onExisting, step);
  return history === state.history ? state : { ...state, history };
};

/** Adds each message that the history does not hold yet. */
export function appendAll(
  history: History,
  drafts: readonly MessageDraft[],
  onExisting: OnExisting,
  step: Step,
): History {
  return drafts.reduce((grown, draft) => appendOne(grown, draft, onExisting, step), history);
}

function appendOne(history: History, draft: MessageDraft, onExisting: OnExisting, step: Step): History {
  const position = history.messages.positionOf(draft.id);
  const held = position === undefined ? undefined : history.messages.get(position);
  if (position === undefined || held === undefined)
    return pushed(history, timed(draft, step.at), step.revision);
  // The same message twice in one commit was not held before: it is added, once.
  if (history.revisions.get(position) !== step.revision) step.skipped.push(draft.id);
  if (onExisting === "keep" || sameMessage(held, draft)) return history;
  if (onExisting === "fail" || livePosition(history, draft.id) === undefined) throw taken(step, draft.id);
  return rewritten(history, position, held, draft, step);
}

/** One held message with other content; never from complete back to partial. */
export function rewritten(
  history: History,
  position: number,
  held: Message,
  draft: MessageDraft,
  step: Step,
): History {
  const message = timed(draft, held.createdAt);
  if (held.status === undefined && isPartial(message)) throw alreadyComplete(step, held.id);
  return equalJson(held, message) ? history : replaced(history, position, message);
}

/** Whether a draft says what is held. Times are compared only where the caller gave one. */
function sameMessage(held: Message, draft: MessageDraft): boolean {
  return equalJson(held, timed(draft, held.createdAt));
}

export function alreadyComplete(step: Step, messageId: string): Error {
  return refusal(
    step,
    "INVALID_ARGUMENT",
    `Message "${messageId}" is complete; it cannot become partial again.`,
    {
      path: "status",
    },
  );
}

function taken(step: Step, messageId: string): Error {
  return refusal(
    step,
    "MESSAGE_ID_TAKEN",
    `The session holds another message with the id "${messageId}". Use a new id, or onExisting: "keep" or "replace" (live messages only).`,
    { messageId },
  );
}
