import type { RemoveOperation } from "../../operations/operation.js";
import { livePosition, without } from "../history.js";
import type { ApplyOperation } from "../operation-context.js";
import { messageNotFound } from "./message-not-found.js";

export const applyRemove: ApplyOperation<RemoveOperation> = (state, op, context) => {
  const positions = new Set<number>();
  for (const messageId of op.messageIds) {
    const position = livePosition(state.history, messageId);
    if (position === undefined) throw messageNotFound(context, messageId);
    positions.add(position);
  }
  if (positions.size === 0) return state;
  context.rewrites = true;
  return { ...state, history: without(state.history, positions) };
};
