import { type OperationInput, SessionError } from "@sessions/protocol";
import { isRefusal } from "./is-refusal.js";
import { splitOperation } from "./split-operation.js";

type Save = (ops: readonly OperationInput[]) => Promise<unknown>;

/**
 * Saves operations one after the other until the store refuses one. Of an operation that is too large it saves as much of the
 * beginning as the store takes, so that what is stored has no gaps. Resolves to whether everything was saved.
 */
export async function saveWhatFits(ops: readonly OperationInput[], save: Save): Promise<boolean> {
  for (const op of ops) if (!(await isSaved(op, save))) return false;
  return true;
}

async function isSaved(op: OperationInput, save: Save): Promise<boolean> {
  try {
    await save([op]);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const smaller = SessionError.is(error, "TOO_LARGE") ? splitOperation(op) : undefined;
    return smaller !== undefined && saveWhatFits(smaller, save);
  }
}
