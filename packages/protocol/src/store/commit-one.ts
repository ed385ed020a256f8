import { tooLarge } from "../validate/argument.js";
import { checkOperation } from "../validate/checked-operation.js";
import { draftsOf, openCall, requestOf, resultOf, send } from "./call.js";
import type { MutationOptions, MutationResult } from "./mutation.js";
import type { StoreContext } from "./store-context.js";

/** Checks one operation as a call of `method` and commits it. Its fields are the arguments that errors name. */
export async function commitOne(
  context: StoreContext,
  id: string,
  method: string,
  operation: object,
  options?: MutationOptions,
): Promise<MutationResult> {
  const { limits } = context;
  const checked = checkOperation(operation, "", limits);
  if (checked.bytes > limits.commitBytes) throw tooLarge(method, checked.bytes, limits.commitBytes);
  const call = openCall(context, id, method, checked.given, options);
  const ops = [checked.named(call.names.restart())];
  return resultOf(await send(context, call, requestOf(context, call, ops)), draftsOf(ops));
}
