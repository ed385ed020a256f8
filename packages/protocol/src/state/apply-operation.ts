import type { Operation } from "../operations/operation.js";
import { applyAppend } from "./apply/append.js";
import { applyArchive, applySettleArchive } from "./apply/archive.js";
import { created } from "./apply/create.js";
import { applyExtend } from "./apply/extend.js";
import { applyRemove } from "./apply/remove.js";
import { applyCount, applySet } from "./apply/set.js";
import { applyDropSnapshot, applyRestore, applySnapshot } from "./apply/snapshot.js";
import { applySplice } from "./apply/splice.js";
import { applyTurn } from "./apply/turn.js";
import { yieldTurn } from "./apply/turn-end.js";
import { applyUpdate } from "./apply/update.js";
import { type ApplyOperation, refusal } from "./operation-context.js";

/** Applies one operation. Every operation of the closed set has one line here. */
export const applyOperation: ApplyOperation<Operation> = (state, op, context) => {
  switch (op.op) {
    case "create":
      return created(op.document, state);
    case "adopt":
      context.rewrites = true;
      return created(op.document, yieldTurn(state, false, context));
    case "append":
      return applyAppend(state, op, context);
    case "splice":
      return applySplice(state, op, context);
    case "remove":
      return applyRemove(state, op, context);
    case "update":
      return applyUpdate(state, op, context);
    case "extend":
      return applyExtend(state, op, context);
    case "archive":
      return applyArchive(state, op, context);
    case "settle-archive":
      return applySettleArchive(state, op, context);
    case "snapshot":
      return applySnapshot(state, op, context);
    case "drop-snapshot":
      return applyDropSnapshot(state, op, context);
    case "restore":
      return applyRestore(state, op, context);
    case "set":
      return applySet(state, op, context);
    case "count":
      return applyCount(state, op, context);
    case "turn":
      return applyTurn(state, op, context);
    case "delete":
      throw refusal(context, "INVALID_ARGUMENT", "A delete stands alone in its commit.", { path: "ops" });
  }
};
