import {
  FORCIBLE_OPTIONS,
  type ForcibleOptions,
  type MutationOptions,
  type MutationResult,
} from "../api/mutation.js";
import { field } from "../arguments/optional-field.js";
import { requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { openCall, requestOf, send } from "../commit/call.js";
import { commitOperation } from "../commit/commit-operation.js";
import type { StoreContext } from "../context/store-context.js";
import { checkOperation } from "../validate/check-operation.js";

export async function createSnapshot(
  context: StoreContext,
  id: string,
  name?: string,
  options?: MutationOptions,
): Promise<MutationResult & { readonly name: string }> {
  const checked = checkOperation({ op: "snapshot", ...field("name", name) }, "", context.limits);
  const call = openCall(context, id, "createSnapshot", checked.fingerprint, options);
  const nextId = call.ids.restart();
  const chosen = name ?? nextId();
  const request = requestOf(context, call, [{ op: "snapshot", name: chosen }]);
  return send(context, call, request, ({ revision, status }) => {
    return { name: chosen, revision, duplicate: status !== "applied", messages: [] };
  });
}

export async function revertToSnapshot(
  context: StoreContext,
  id: string,
  name: string,
  options: ForcibleOptions = {},
): Promise<MutationResult> {
  const { force, ...rest } = requireOptions(options, FORCIBLE_OPTIONS);
  return commitOperation(
    context,
    id,
    "revertToSnapshot",
    { op: "restore", name, ...field("force", force) },
    rest,
  );
}

export async function revertToMessage(
  context: StoreContext,
  id: string,
  messageId: string,
  options: ForcibleOptions = {},
): Promise<MutationResult> {
  const { force, ...rest } = requireOptions(options, FORCIBLE_OPTIONS);
  requireId(messageId, "messageId", context.limits);
  const operation = { op: "splice", keep: { through: messageId }, ...field("force", force) };
  return commitOperation(context, id, "revertToMessage", operation, rest);
}
