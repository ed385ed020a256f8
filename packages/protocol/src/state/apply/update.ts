import type { UpdateOperation } from "../../operations/operation.js";
import { livePosition } from "../history.js";
import type { ApplyOperation } from "../operation-context.js";
import { rewritten } from "./append.js";
import { messageNotFound } from "./message-not-found.js";

export const applyUpdate: ApplyOperation<UpdateOperation> = (state, op, context) => {
  const position = livePosition(state.history, op.message.id);
  const held = position === undefined ? undefined : state.history.messages.get(position);
  if (position === undefined || held === undefined) throw messageNotFound(context, op.message.id);
  const history = rewritten(state.history, position, held, op.message, context);
  return history === state.history ? state : { ...state, history };
};
