import { equalJson } from "../../json/equal-json.js";
import type { Message, MessageDraft } from "../../message/message.js";
import type { AppendOperation, OnExisting } from "../../operations/operation.js";
import { type History, isPartial, livePosition, pushed, pushedOne, replaced } from "../history.js";
import { type ApplyOperation, type OperationContext, refusal } from "../operation-context.js";
import { copyOfState } from "../session-state.js";
import { withCreatedAt } from "../with-created-at.js";

export const applyAppend: ApplyOperation<AppendOperation> = (state, op, context) => {
  const history = appendAll(state.history, op.messages, op.onExisting, context);
  if (history === state.history) return state;
  const next = copyOfState(state);
  next.history = history;
  return next;
};

/** Adds each message that the history does not contain yet. Consecutive new messages are added together. */
export function appendAll(
  history: History,
  drafts: readonly MessageDraft[],
  onExisting: OnExisting,
  context: OperationContext,
): History {
  const [only] = drafts;
  if (drafts.length === 1 && only !== undefined && history.messages.positionOf(only.id) === undefined) {
    return pushedOne(history, withCreatedAt(only, context.at), context.revision);
  }
  let grown = history;
  let fresh = new Map<string, Message>();
  const addFresh = (): void => {
    if (fresh.size > 0) grown = pushed(grown, [...fresh.values()], context.revision);
    fresh = new Map();
  };
  for (const draft of drafts) {
    if (fresh.has(draft.id)) addFresh(); // the same id twice in one call: the second message is compared with the first
    const position = grown.messages.positionOf(draft.id);
    if (position === undefined) fresh.set(draft.id, withCreatedAt(draft, context.at));
    else grown = withExisting(grown, position, draft, onExisting, context);
  }
  addFresh();
  return grown;
}

/** Handles a message whose id the history already contains. */
function withExisting(
  history: History,
  position: number,
  draft: MessageDraft,
  onExisting: OnExisting,
  context: OperationContext,
): History {
  const held = history.messages.get(position);
  // A message that this same commit added is not a skipped one: it is added, once.
  if (history.revisions.get(position) !== context.revision) context.skipped.push(draft.id);
  if (held === undefined || onExisting === "keep" || sameMessage(held, draft)) return history;
  if (onExisting === "fail" || livePosition(history, draft.id) === undefined) throw taken(context, draft.id);
  return rewritten(history, position, held, draft, context);
}

/** Replaces the content of a stored message. A complete message never becomes partial again. */
export function rewritten(
  history: History,
  position: number,
  held: Message,
  draft: MessageDraft,
  context: OperationContext,
): History {
  const message = withCreatedAt(draft, held.createdAt);
  if (held.status === undefined && isPartial(message)) throw alreadyComplete(context, held.id);
  if (equalJson(held, message)) return history;
  context.rewrites = true;
  return replaced(history, position, message);
}

/** Whether a draft equals the stored message. Times are compared only if the caller passed one. */
function sameMessage(held: Message, draft: MessageDraft): boolean {
  return equalJson(held, withCreatedAt(draft, held.createdAt));
}

export function alreadyComplete(context: Pick<OperationContext, "sessionId">, messageId: string): Error {
  return refusal(
    context,
    "INVALID_ARGUMENT",
    `Message "${messageId}" is complete; it cannot become partial again.`,
    {
      path: "status",
    },
  );
}

function taken(context: OperationContext, messageId: string): Error {
  return refusal(
    context,
    "MESSAGE_ID_TAKEN",
    `The session holds another message with the id "${messageId}". Use a new id, or onExisting: "keep" or "replace" (live messages only).`,
    { messageId },
  );
}
