import type { MessageDraft } from "../../message/message.js";
import type { Keep, SpliceOperation } from "../../operations/operation.js";
import { type History, liveCount, livePosition, truncated } from "../history.js";
import type { ApplyOperation, OperationContext } from "../operation-context.js";
import { appendAll } from "./append.js";
import { messageNotFound } from "./message-not-found.js";
import { yieldTurn } from "./turn-end.js";

export const applySplice: ApplyOperation<SpliceOperation> = (state, op, context) => {
  const length = state.history.liveFrom + keptCount(state.history, op.keep, context);
  const removes = length < state.history.messages.length;
  // Without this, a running turn could lose the question that it is answering.
  const yielded = removes ? yieldTurn(state, op.force === true, context) : state;
  const kept = truncated(yielded.history, length);
  if (removes) context.rewrites = true;
  const history = appendAll(kept, withoutArchived(kept, op.messages, context), "fail", context);
  return history === state.history ? state : { ...yielded, history };
};

function keptCount(history: History, keep: Keep, context: OperationContext): number {
  if (typeof keep === "number") return Math.min(keep, liveCount(history));
  const messageId = "through" in keep ? keep.through : keep.before;
  const position = livePosition(history, messageId);
  if (position === undefined) throw messageNotFound(context, messageId);
  return position - history.liveFrom + ("through" in keep ? 1 : 0);
}

// An archived message that occurs in a replaced history stays archived. It must not also become live.
function withoutArchived(
  history: History,
  drafts: readonly MessageDraft[],
  context: OperationContext,
): readonly MessageDraft[] {
  if (history.liveFrom === 0) return drafts;
  return drafts.filter((draft) => {
    const position = history.messages.positionOf(draft.id);
    if (position === undefined || position >= history.liveFrom) return true;
    context.skipped.push(draft.id);
    return false;
  });
}
