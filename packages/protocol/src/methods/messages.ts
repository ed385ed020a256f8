import type { SessionRecord } from "../backend/session-record.js";
import { lastExchange } from "../message/last-exchange.js";
import { lastGroup } from "../message/last-group.js";
import type { Message } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import { tailIsClosed } from "../message/tail-is-closed.js";
import { isMany, many, type OneOrMany } from "../operations/builders.js";
import type { OnExisting } from "../operations/operation.js";
import { commitOps, openCall } from "../store/call.js";
import { commitOne } from "../store/commit-one.js";
import type { ForcibleOptions, MutationOptions, MutationResult } from "../store/mutation.js";
import { commitPlanned, type Plan } from "../store/planned.js";
import { receiptOf, receivedResult } from "../store/receipt.js";
import type { StoreContext } from "../store/store-context.js";
import { readTail } from "../store/tail.js";
import { field, optional, requireBoolean, requireOptions, tooLarge } from "../validate/argument.js";
import { checkOperation } from "../validate/checked-operation.js";
import { namedDraft, requireMessage } from "../validate/message-draft.js";
import { sessionNotFound } from "./session-not-found.js";

export function addMessage(
  context: StoreContext,
  id: string,
  messages: OneOrMany<MessageInput>,
  options?: AppendOptions,
): Promise<MutationResult> {
  if (options !== undefined) return addMessageWith(context, id, messages, options);
  if (!isMany(messages)) return addOne(context, id, messages);
  return commitOne(context, id, "addMessage", { op: "append", messages });
}

/** The most frequent call of all: what `commitOne` would come to, at as little cost as can be. */
function addOne(context: StoreContext, id: string, message: MessageInput): Promise<MutationResult> {
  try {
    const { limits } = context;
    const draft = requireMessage(message, "messages[0]", limits);
    if (draft.bytes > limits.commitBytes) throw tooLarge("addMessage", draft.bytes, limits.commitBytes);
    const call = openCall(context, id, "addMessage", () => draft.json);
    const messages = [namedDraft(draft, call.names.restart())];
    return commitOps(context, call, [{ op: "append", messages, onExisting: "fail" }]);
  } catch (error) {
    return Promise.reject(error);
  }
}

type AppendOptions = MutationOptions & { readonly onExisting?: OnExisting | undefined };

async function addMessageWith(
  context: StoreContext,
  id: string,
  messages: OneOrMany<MessageInput>,
  options: AppendOptions,
): Promise<MutationResult> {
  const { onExisting, ...rest } = requireOptions(options);
  return commitOne(
    context,
    id,
    "addMessage",
    { op: "append", messages: many(messages), ...field("onExisting", onExisting) },
    rest,
  );
}

export function updateMessage(
  context: StoreContext,
  id: string,
  messageId: string,
  message: MessageInput,
  options?: MutationOptions,
): Promise<MutationResult> {
  return commitOne(
    context,
    id,
    "updateMessage",
    { op: "update", message: { ...message, id: messageId } },
    options,
  );
}

export async function clearSession(
  context: StoreContext,
  id: string,
  options: ForcibleOptions = {},
): Promise<MutationResult> {
  const { force, ...rest } = requireOptions(options);
  return commitOne(context, id, "clearSession", { op: "splice", keep: 0, ...field("force", force) }, rest);
}

export async function removeMessages(
  context: StoreContext,
  id: string,
  messageIds: OneOrMany<string>,
  options?: MutationOptions,
): Promise<MutationResult> {
  const checked = checkOperation({ op: "remove", messageIds: many(messageIds) }, "", context.limits);
  const call = openCall(context, id, "removeMessages", checked.given, options);
  const ids = [...new Set(many(messageIds))];
  const result = await commitPlanned(context, call, async () => {
    const record = await context.backend.read(id, { messages: { ids } });
    if (record === undefined) throw sessionNotFound(id);
    return removal(record, record.messages, [{ op: "remove", messageIds: ids }]);
  });
  return receivedResult(result);
}

export async function popMessage(
  context: StoreContext,
  id: string,
  options: ForcibleOptions & { readonly exchange?: boolean | undefined } = {},
): Promise<MutationResult> {
  const { force, exchange = false, ...rest } = requireOptions(options);
  optional(exchange, "options.exchange", requireBoolean);
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
  return receivedResult(result);
}

function removal(record: SessionRecord, removed: readonly Message[], ops: Plan["ops"]): Plan {
  return { ops, ifRevision: record.revision, receipt: receiptOf(removed) };
}
