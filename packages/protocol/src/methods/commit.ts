import { MUTATION_OPTIONS, type MutationOptions, type MutationResult } from "../api/mutation.js";
import type { SessionMessages } from "../api/queries.js";
import type { ComputeChange } from "../api/session-methods.js";
import { invalid } from "../arguments/invalid-argument.js";
import { requireOptions } from "../arguments/options.js";
import { commitChecked, draftsOf, openCall } from "../commit/call.js";
import { commitPlanned } from "../commit/commit-planned.js";
import { receiptOf, resultFromReceipt } from "../commit/receipt.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import type { OneOrMany } from "../operations/builders.js";
import type { OperationInput } from "../operations/operation-input.js";
import { sessionView } from "../reading/session-view.js";
import { checkOperations } from "../validate/check-operation.js";
import type { CheckedOperation } from "../validate/checked-operation.js";
import { requireSessionMessages } from "../validate/queries.js";

export async function commit(
  context: StoreContext,
  id: string,
  ops: OneOrMany<OperationInput>,
  options?: MutationOptions,
): Promise<MutationResult> {
  return commitCheckedOperations(context, id, checkOperations(ops, "ops", context.limits), options);
}

/** Commits operations that were checked. */
export async function commitCheckedOperations(
  context: StoreContext,
  id: string,
  checked: readonly CheckedOperation[],
  options?: MutationOptions,
): Promise<MutationResult> {
  if (checked.some(({ op }) => op === "adopt") && options?.ifRevision === undefined) {
    throw invalid("options.ifRevision", "is missing: adopt says which revision it replaces.");
  }
  return commitChecked(
    context,
    openCall(context, id, "commit", () => checked.map((op) => op.fingerprint()), options),
    checked,
  );
}

const UPDATE_OPTIONS = { ...MUTATION_OPTIONS, messages: true } as const;

export async function updateSession(
  context: StoreContext,
  id: string,
  compute: ComputeChange,
  options: MutationOptions & { readonly messages?: SessionMessages | undefined } = {},
): Promise<MutationResult> {
  const { messages, ...rest } = requireOptions(options, UPDATE_OPTIONS);
  if (typeof compute !== "function") throw invalid("compute", "must be a function.");
  const select = { messages: requireSessionMessages(messages, "options.messages", context.limits) };
  const call = openCall(context, id, "updateSession", () => null, rest);
  const result = await commitPlanned(context, call, async (nextId) => {
    const record = await context.backend.read(id, select);
    const computed = compute(record === undefined ? undefined : sessionView(record, context.leases));
    refusePromise(computed);
    const checked = checkOperations(computed === undefined ? [] : computed, "ops", context.limits);
    const revision = record?.revision ?? 0;
    const ops = checked.map((op) => op.withIds(nextId));
    return { ops, revision, ifRevision: revision, receipt: receiptOf(draftsOf(ops)) };
  });
  // The callback is not called again for a repeated call. The receipt contains the messages that the first call added.
  return resultFromReceipt(result);
}

// An async callback would block every later commit of the session, and could deadlock by waiting for one.
function refusePromise(computed: unknown): void {
  if (typeof computed !== "object" || computed === null || !("then" in computed)) return;
  throw SessionError.of(
    "INVALID_ARGUMENT",
    "compute must not be async: read what it needs before, or use runTurn for long work.",
    {
      path: "compute",
    },
  );
}
