import {
  FORCIBLE_OPTIONS,
  type ForcibleOptions,
  MUTATION_OPTIONS,
  type MutationOptions,
  type MutationResult,
} from "../api/mutation.js";
import { oneOrMany, requireItems } from "../arguments/lists.js";
import { field, optional } from "../arguments/optional-field.js";
import { type OptionNames, plainCopy, requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { requireBoolean } from "../arguments/require-value.js";
import type { SessionRecord } from "../backend/session-record.js";
import { openCall } from "../commit/call.js";
import { commitOperation } from "../commit/commit-operation.js";
import { commitPlanned, type Plan } from "../commit/commit-planned.js";
import { receiptOf, resultFromReceipt } from "../commit/receipt.js";
import type { StoreContext } from "../context/store-context.js";
import { sessionNotFound } from "../errors/session-not-found.js";
import type { Message } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import { lastExchange } from "../message/windows/last-exchange.js";
import { lastGroup } from "../message/windows/last-group.js";
import { tailIsClosed } from "../message/windows/tail-is-closed.js";
import type { OneOrMany } from "../operations/builders.js";
import type { OnExisting } from "../operations/operation.js";
import { readTail } from "../reading/read-tail.js";
import { checkOperation } from "../validate/check-operation.js";

type AppendOptions = MutationOptions & { readonly onExisting?: OnExisting | undefined };

const APPEND_OPTIONS: OptionNames<AppendOptions> = { ...MUTATION_OPTIONS, onExisting: true };

export async function addMessage(
  context: StoreContext,
  id: string,
  messages: OneOrMany<MessageInput>,
  options: AppendOptions = {},
): Promise<MutationResult> {
  const { onExisting, ...rest } = requireOptions(options, APPEND_OPTIONS);
  return commitOperation(
    context,
    id,
    "addMessage",
    { op: "append", messages: oneOrMany(messages, "messages"), ...field("onExisting", onExisting) },
    rest,
  );
}

export async function updateMessage(
  context: StoreContext,
  id: string,
  messageId: string,
  message: MessageInput,
  options?: MutationOptions,
): Promise<MutationResult> {
  const named = { ...plainCopy(message, "message"), id: messageId };
  return commitOperation(context, id, "updateMessage", { op: "update", message: named }, options);
}

export async function clearSession(
  context: StoreContext,
  id: string,
  options: ForcibleOptions = {},
): Promise<MutationResult> {
  const { force, ...rest } = requireOptions(options, FORCIBLE_OPTIONS);
  return commitOperation(
    context,
    id,
    "clearSession",
    { op: "splice", keep: 0, ...field("force", force) },
    rest,
  );
}

export async function removeMessages(
  context: StoreContext,
  id: string,
  messageIds: OneOrMany<string>,
  options?: MutationOptions,
): Promise<MutationResult> {
  const { limits } = context;
  const given = requireItems(oneOrMany(messageIds, "messageIds"), "messageIds", limits, (one, at) =>
    requireId(one, at, limits),
  );
  const checked = checkOperation({ op: "remove", messageIds: given }, "", limits);
  const call = openCall(context, id, "removeMessages", checked.fingerprint, options);
  const ids = [...new Set(given)];
  const result = await commitPlanned(context, call, async () => {
    const record = await context.backend.read(id, { messages: { ids } });
    if (record === undefined) throw sessionNotFound(id);
    return removal(record, record.messages, [{ op: "remove", messageIds: ids }]);
  });
  return resultFromReceipt(result);
}

const POP_OPTIONS = { ...FORCIBLE_OPTIONS, exchange: true } as const;

export async function popMessage(
  context: StoreContext,
  id: string,
  options: ForcibleOptions & { readonly exchange?: boolean | undefined } = {},
): Promise<MutationResult> {
  const { force, exchange = false, ...rest } = requireOptions(options, POP_OPTIONS);
  requireBoolean(exchange, "options.exchange");
  optional(force, "options.force", requireBoolean);
  const call = openCall(context, id, "popMessage", () => ({ exchange }), rest);
  const popped = exchange ? lastExchange : lastGroup;
  const result = await commitPlanned(context, call, async () => {
    const tail = await readTail(context, id, { firstSize: 32 }, ({ messages }) =>
      tailIsClosed(messages, messages.length - popped(messages).length),
    );
    if (tail === undefined) throw sessionNotFound(id);
    const messages = popped(tail.messages);
    const [first] = messages;
    if (first === undefined) return { ops: [], revision: tail.record.revision };
    return removal(tail.record, messages, [
      { op: "splice", keep: { before: first.id }, messages: [], ...field("force", force) },
    ]);
  });
  return resultFromReceipt(result);
}

function removal(record: SessionRecord, removed: readonly Message[], ops: Plan["ops"]): Plan {
  return { ops, ifRevision: record.revision, receipt: receiptOf(removed) };
}
