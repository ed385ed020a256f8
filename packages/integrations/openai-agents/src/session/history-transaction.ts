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
import { invalid, requireFields } from "@sessions/turn-runner";
import { type ItemMessage, isItem, itemsOf, messageOf } from "../items/item-message.js";

/** A transaction of the SDK whose shape is checked. */
export interface CheckedTransaction {
  readonly operationId: string;
  readonly transaction: SessionHistoryTransaction;
}

/** INVALID_ARGUMENT for anything but a transaction. */
export function requireTransaction(args: SessionHistoryTransactionArgs): CheckedTransaction {
  requireFields(args, "args");
  const { operationId, transaction } = args;
  if (typeof operationId !== "string" || operationId.trim() === "")
    throw invalid("operationId", "must be a string that is not empty.");
  requireFields(transaction, "transaction");
  const { type } = transaction;
  if (type === "append_items") requireItems(transaction.items, "items");
  else if (type === "replace_suffix") {
    requireItems(transaction.expectedSuffix, "expectedSuffix");
    requireItems(transaction.replacement, "replacement");
  } else throw invalid("transaction.type", `is not known: ${String(type)}.`);
  return { operationId, transaction };
}

/** The message of an item, with an id that comes from its operation. */
export type OperationMessage = ItemMessage & { readonly id: string };

/**
 * The items of an operation as messages. Their ids come from the operation: so a repeat is recognized even after the store has
 * forgotten the commit id.
 */
export function messagesOfOperation(
  operationId: string,
  items: readonly AgentInputItem[],
  make: (item: AgentInputItem) => ItemMessage,
): readonly OperationMessage[] {
  return items.map((item, index) => ({ ...make(item), id: `${operationId}#${index}` }));
}

/** Replaces the last items, if they are the expected ones; `undefined` if they are not. */
export function replaceSuffix(
  tail: readonly Message[],
  expected: readonly AgentInputItem[],
  replacement: readonly OperationMessage[],
): readonly OperationInput[] | undefined {
  const items = tail.flatMap((message) => itemsOf(message).map((item) => ({ item, message })));
  const suffix = expected.length === 0 ? [] : items.slice(-expected.length);
  if (!sameItems(suffix, expected)) return undefined;
  const [first] = suffix;
  if (first === undefined) return [append(replacement)];
  // A message that the SDK did not write may have items before the suffix: these stay.
  const beside = items.filter(({ message }) => message === first.message);
  const kept = beside.slice(0, beside.indexOf(first)).map(({ item }) => messageOf(item));
  return [splice({ before: first.message.id }, [...kept, ...replacement])];
}

/** Whether exactly these messages are stored: then the operation was done before. */
export function areStored(stored: readonly Message[], messages: readonly OperationMessage[]): boolean {
  return (
    messages.length > 0 &&
    messages.every(({ id, item, binary }) =>
      stored.some((other) => other.id === id && sameValue([other["item"], other["binary"]], [item, binary])),
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
  stored: readonly { readonly item: AgentInputItem }[],
  expected: readonly AgentInputItem[],
): boolean {
  return (
    stored.length === expected.length &&
    expected.every((item, index) => {
      const other = stored[index]?.item;
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
