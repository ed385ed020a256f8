import type { MutationOptions, MutationResult } from "../api/mutation.js";
import { tooLarge } from "../arguments/argument.js";
import type { StoreContext } from "../context/store-context.js";
import { checkOperation } from "../validate/checked-operation.js";
import { commitOps, openCall } from "./call.js";

/** Checks one operation as a call of `method` and commits it. Its fields are the arguments that errors name. */
export function commitOne(
  context: StoreContext,
  id: string,
  method: string,
  operation: object,
  options?: MutationOptions,
): Promise<MutationResult> {
  // Not async: the caller gets the promise of the queue itself.
  try {
    const { limits } = context;
    const checked = checkOperation(operation, "", limits);
    if (checked.bytes > limits.commitBytes) throw tooLarge(method, checked.bytes, limits.commitBytes);
    const call = openCall(context, id, method, checked.given, options);
    return commitOps(context, call, [checked.named(call.names.restart())], checked.bytes);
  } catch (error) {
    return Promise.reject(error);
  }
}
