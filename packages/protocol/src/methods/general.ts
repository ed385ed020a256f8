import type { Duplicate } from "../backend/commit-outcome.js";
import { SessionError } from "../errors/session-error.js";
import type { Message } from "../message/message.js";
import { many, type OneOrMany } from "../operations/builders.js";
import type { OperationInput } from "../operations/operation-input.js";
import { commitChecked, draftsOf, openCall, resultOf } from "../store/call.js";
import type { MutationOptions, MutationResult } from "../store/mutation.js";
import { commitPlanned } from "../store/planned.js";
import type { SessionMessages } from "../store/queries.js";
import type { ComputeChange } from "../store/session-store.js";
import { sessionView } from "../store/session-view.js";
import type { StoreContext } from "../store/store-context.js";
import { invalid, requireOptions } from "../validate/argument.js";
import { checkOperations } from "../validate/checked-operation.js";
import { requireSessionMessages } from "../validate/queries.js";

export async function commit(
  context: StoreContext,
  id: string,
  ops: OneOrMany<OperationInput>,
  options?: MutationOptions,
): Promise<MutationResult> {
  const checked = checkOperations(ops, "ops", context.limits);
  return commitChecked(
    context,
    openCall(
      context,
      id,
      "commit",
      checked.map((op) => op.given),
      options,
    ),
    checked,
  );
}

export async function updateSession(
  context: StoreContext,
  id: string,
  compute: ComputeChange,
  options: MutationOptions & { readonly messages?: SessionMessages | undefined } = {},
): Promise<MutationResult> {
  const { messages, ...rest } = requireOptions(options);
  if (typeof compute !== "function") throw invalid("compute", "must be a function.");
  const select = { messages: requireSessionMessages(messages, "options.messages", context.limits) };
  const call = openCall(context, id, "updateSession", null, rest);
  const { outcome, plan } = await commitPlanned(context, call, async (nextId) => {
    const record = await context.backend.read(id, select);
    const computed = compute(record === undefined ? undefined : sessionView(record, context.clock.now()));
    refusePromise(computed);
    const checked = checkOperations(computed === undefined ? [] : many(computed), "ops", context.limits);
    const revision = record?.revision ?? 0;
    const ops = checked.map((op) => op.named(nextId));
    return { ops, revision, ifRevision: revision, receipt: draftsOf(ops).map((draft) => draft.id) };
  });
  if (outcome.status !== "duplicate") return resultOf(outcome, plan?.ops ?? []);
  return { revision: outcome.revision, duplicate: true, messages: await stillHeld(context, id, outcome) };
}

// The callback is not called again, so a repeat gets the messages of the first call as the session holds them now.
async function stillHeld(
  context: StoreContext,
  id: string,
  { receipt, skipped = [] }: Duplicate,
): Promise<Message[]> {
  const ids = Array.isArray(receipt) ? receipt.filter((one) => !skipped.includes(one)) : [];
  return [...((await context.backend.read(id, { messages: { ids } }))?.messages ?? [])];
}

// An async callback would hold up every later commit of the session, and could wait for one of them.
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
