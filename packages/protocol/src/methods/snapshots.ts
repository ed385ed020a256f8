import { openCall, requestOf, send } from "../store/call.js";
import type { ForcibleOptions, MutationOptions, MutationResult } from "../store/mutation.js";
import type { StoreContext } from "../store/store-context.js";
import { field, requireOptions } from "../validate/argument.js";
import { checkOperations } from "../validate/checked-operation.js";
import { requireId } from "../validate/identifier.js";
import { commitOne } from "./messages.js";

export async function createSnapshot(
  context: StoreContext,
  id: string,
  name?: string,
  options?: MutationOptions,
): Promise<MutationResult & { readonly name: string }> {
  const checked = checkOperations(
    [{ op: "snapshot", ...field("name", name) }],
    "createSnapshot",
    context.limits,
  );
  const call = openCall(
    context,
    id,
    "createSnapshot",
    checked.map((op) => op.given),
    options,
  );
  const nextId = call.names.restart();
  const chosen = name ?? nextId();
  const outcome = await send(context, call, requestOf(context, call, [{ op: "snapshot", name: chosen }]));
  return { name: chosen, revision: outcome.revision, duplicate: outcome.status !== "applied", messages: [] };
}

export async function revertToSnapshot(
  context: StoreContext,
  id: string,
  name: string,
  options: ForcibleOptions = {},
): Promise<MutationResult> {
  const { force, ...rest } = requireOptions(options);
  return commitOne(context, id, "revertToSnapshot", { op: "restore", name, ...field("force", force) }, rest);
}

export async function revertToMessage(
  context: StoreContext,
  id: string,
  messageId: string,
  options: ForcibleOptions = {},
): Promise<MutationResult> {
  const { force, ...rest } = requireOptions(options);
  requireId(messageId, "messageId", context.limits);
  const operation = { op: "splice", keep: { through: messageId }, ...field("force", force) };
  return commitOne(context, id, "revertToMessage", operation, rest);
}
