import type {
  AgentInputItem,
  SessionHistoryTransaction,
  SessionHistoryTransactionArgs,
} from "@openai/agents";
import {
  append,
  equalJson,
  jsonify,
  type Message,
  type OperationInput,
  SessionError,
  splice,
} from "@sessions/protocol/integration";
import { isFields } from "../fields.js";
import { type ItemMessage, isItem, itemsOf, messageOf } from "../items/item-message.js";

/** A change of the SDK's, checked. */
export interface CheckedTransaction {
  readonly operationId: string;
  readonly transaction: SessionHistoryTransaction;
}

/** INVALID_ARGUMENT for anything but a transaction, before anything is changed. */
export function requireTransaction(args: SessionHistoryTransactionArgs): CheckedTransaction {
  const given: unknown = args;
  if (!isFields(given)) throw invalid("args", "must be an object.");
  const { operationId, transaction } = args;
  if (typeof operationId !== "string" || operationId.trim() === "")
    throw invalid("operationId", "must be a string that is not empty.");
  const change: unknown = transaction;
  if (!isFields(change)) throw invalid("transaction", "must be an object.");
  const { type } = transaction;
  if (type === "append_items") requireItems(transaction.items, "items");
  else if (type === "replace_suffix") {
    requireItems(transaction.expectedSuffix, "expectedSuffix");
    requireItems(transaction.replacement, "replacement");
  } else throw invalid("transaction.type", `is not known: ${String(type)}.`);
  return { operationId, transaction };
}

/** An item of an operation, under an id of its own. */
export type OperationMessage = ItemMessage & { readonly id: string };

/**
 * The items of an operation as messages. Their ids come from the operation, so that the session knows them again when its
 * commit is long forgotten.
 */
export function messagesOfOperation(
  operationId: string,
  items: readonly AgentInputItem[],
  make: (item: AgentInputItem) => ItemMessage,
): readonly OperationMessage[] {
  return items.map((item, index) => ({ ...make(item), id: `${operationId}#${index}` }));
}

/** What replaces the last messages, if they are what was expected. `undefined` if they are not. */
export function suffixReplaced(
  tail: readonly Message[],
  expected: readonly AgentInputItem[],
  replacement: readonly OperationMessage[],
): readonly OperationInput[] | undefined {
  const items = tail.flatMap((message) => itemsOf(message).map((item) => ({ item, message })));
  const suffix = expected.length === 0 ? [] : items.slice(-expected.length);
  if (!sameItems(suffix, expected)) return undefined;
  const [first] = suffix;
  if (first === undefined) return [append(replacement)];
  // A message of another making may hold items before the suffix: these stay.
  const beside = items.filter(({ message }) => message === first.message);
  const kept = beside.slice(0, beside.indexOf(first)).map(({ item }) => messageOf(item));
  return [splice({ before: first.message.id }, [...kept, ...replacement])];
}

/** Whether a session holds exactly these messages: then the operation was carried out, however long ago. */
export function areHeld(held: readonly Message[], messages: readonly OperationMessage[]): boolean {
  return (
    messages.length > 0 &&
    messages.every(({ id, item, binary }) =>
      held.some((one) => one.id === id && sameValue([one["item"], one["binary"]], [item, binary])),
    )
  );
}

export function suffixChanged(sessionId: string): SessionError {
  return SessionError.of(
    "INVALID_ARGUMENT",
    "The history does not end with `expectedSuffix` any more. Nothing was changed; read the items and decide anew.",
    { sessionId, path: "transaction.expectedSuffix" },
  );
}

function sameItems(
  held: readonly { readonly item: AgentInputItem }[],
  expected: readonly AgentInputItem[],
): boolean {
  return (
    held.length === expected.length &&
    expected.every((item, index) => {
      const other = held[index]?.item;
      return other !== undefined && sameValue(messageOf(item), messageOf(other));
    })
  );
}

function sameValue(one: unknown, other: unknown): boolean {
  return equalJson(jsonify(one), jsonify(other));
}

function requireItems(items: unknown, name: string): void {
  if (!Array.isArray(items)) throw invalid(`transaction.${name}`, "must be an array of items.");
  const wrong = items.findIndex((item) => !isItem(item));
  if (wrong !== -1)
    throw invalid(`transaction.${name}[${wrong}]`, "is no item: it has neither type nor role.");
}

function invalid(path: string, rule: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${rule}`, { path });
}
