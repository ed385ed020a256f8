import { type OperationInput, SessionError } from "@sessions/protocol";
import { smallerOperations } from "./smaller-operations.js";

type Save = (ops: readonly OperationInput[]) => Promise<unknown>;

/**
 * Saves operations one after the other, up to the first that the store refuses; of one that is too large, as much of its
 * beginning as the store takes. What is kept is a beginning without gaps. Resolves to whether that is all.
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
    const smaller = SessionError.is(error, "TOO_LARGE") ? smallerOperations(op) : undefined;
    return smaller !== undefined && saveWhatFits(smaller, save);
  }
}

/** Whether the store does not take a commit because of what is in it. Nothing of it is stored. */
export function isRefusal(error: unknown): boolean {
  return SessionError.is(error, "INVALID_ARGUMENT", "TOO_LARGE", "MESSAGE_ID_TAKEN", "MESSAGE_NOT_FOUND");
}
