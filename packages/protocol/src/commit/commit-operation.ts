import type { MutationOptions, MutationResult } from "../api/mutation.js";
import { tooLarge } from "../arguments/invalid-argument.js";
import type { StoreContext } from "../context/store-context.js";
import { checkOperation } from "../validate/check-operation.js";
import { commitOps, openCall } from "./call.js";

/** Checks the operation of a call of `method` and commits it. Errors name its fields as the arguments of the method. */
export function commitOperation(
  context: StoreContext,
  id: string,
  method: string,
  operation: object,
  options?: MutationOptions,
): Promise<MutationResult> {
  // Not async: the caller gets the queue's own promise.
  try {
    const { limits } = context;
    const checked = checkOperation(operation, "", limits);
    if (checked.bytes > limits.commitBytes) throw tooLarge(method, checked.bytes, limits.commitBytes);
    const call = openCall(context, id, method, checked.fingerprint, options);
    return commitOps(context, call, [checked.withIds(call.ids.restart())]);
  } catch (error) {
    return Promise.reject(error);
  }
}
