import type { RemoveOperation } from "../../operations/operation.js";
import { livePosition, without } from "../history.js";
import type { Apply } from "../operation-context.js";
import { messageNotFound } from "./message-not-found.js";

export const applyRemove: Apply<RemoveOperation> = (state, op, step) => {
  const positions = new Set<number>();
  for (const messageId of op.messageIds) {
    const position = livePosition(state.history, messageId);
    if (position === undefined) throw messageNotFound(step, messageId);
    positions.add(position);
  }
  if (positions.size === 0) return state;
  step.rewrites = true;
  return { ...state, history: without(state.history, positions) };
};
