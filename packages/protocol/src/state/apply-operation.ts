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
import { type Apply, refusal } from "./operation-context.js";

/** One operation on a session: every operation of the closed set has its line here. */
export const applyOperation: Apply<Operation> = (state, op, step) => {
  switch (op.op) {
    case "create":
      return created(op.document, state);
    case "adopt":
      step.rewrites = true;
      return created(op.document, yieldTurn(state, false, step));
    case "append":
      return applyAppend(state, op, step);
    case "splice":
      return applySplice(state, op, step);
    case "remove":
      return applyRemove(state, op, step);
    case "update":
      return applyUpdate(state, op, step);
    case "extend":
      return applyExtend(state, op, step);
    case "archive":
      return applyArchive(state, op, step);
    case "settle-archive":
      return applySettleArchive(state, op, step);
    case "snapshot":
      return applySnapshot(state, op, step);
    case "drop-snapshot":
      return applyDropSnapshot(state, op, step);
    case "restore":
      return applyRestore(state, op, step);
    case "set":
      return applySet(state, op, step);
    case "count":
      return applyCount(state, op, step);
    case "turn":
      return applyTurn(state, op, step);
    case "delete":
      throw refusal(step, "INVALID_ARGUMENT", "A delete stands alone in its commit.", { path: "ops" });
  }
};
