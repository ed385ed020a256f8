import type { UpdateOperation } from "../../operations/operation.js";
import { livePosition } from "../history.js";
import type { Apply } from "../operation-context.js";
import { rewritten } from "./append.js";
import { messageNotFound } from "./message-not-found.js";

export const applyUpdate: Apply<UpdateOperation> = (state, op, step) => {
  const position = livePosition(state.history, op.message.id);
  const held = position === undefined ? undefined : state.history.messages.get(position);
  if (position === undefined || held === undefined) throw messageNotFound(step, op.message.id);
  const history = rewritten(state.history, position, held, op.message, step);
  return history === state.history ? state : { ...state, history };
};
