import type { AgentInputItem } from "@openai/agents";
import {
  append,
  jsonify,
  type Message,
  type OperationInput,
  remove,
  resultsAfterCalls,
} from "@sessions/protocol";
import { equalJson } from "@sessions/protocol/integration";
import { encodeBytes } from "../items/binary-fields.js";
import { itemsOf, messageOf } from "../items/item-message.js";

/** An item with the message that it is stored in. */
export interface StoredItem {
  readonly item: AgentInputItem;
  readonly messageId: string;
}

export const storedItems = (messages: readonly Message[]): readonly StoredItem[] =>
  resultsAfterCalls(messages).flatMap((message) =>
    itemsOf(message).map((item) => ({ item, messageId: message.id })),
  );

/** The operations of a run that has read `before` and left `after`. What differs from there on is replaced: mostly items are added. */
export function changeItems(
  turnId: string,
  before: readonly StoredItem[],
  after: readonly AgentInputItem[],
): readonly OperationInput[] {
  const kept = keptCount(before, after);
  const removed = [...new Set(before.slice(kept).map(({ messageId }) => messageId))];
  const added = after.slice(kept).map((item) => messageOf(item, { turnId }));
  return [...(removed.length === 0 ? [] : [remove(removed)]), ...(added.length === 0 ? [] : [append(added)])];
}

/** How many items of the beginning stay. A message of several items stays as a whole or not at all. */
function keptCount(before: readonly StoredItem[], after: readonly AgentInputItem[]): number {
  let kept = before.findIndex(({ item }, at) => !isSame(item, after[at]));
  if (kept === -1) return before.length;
  while (kept > 0 && before[kept - 1]?.messageId === before[kept]?.messageId) kept -= 1;
  return kept;
}

const isSame = (one: AgentInputItem, other: AgentInputItem | undefined): boolean =>
  other !== undefined && equalJson(jsonify(encodeBytes(one).value), jsonify(encodeBytes(other).value));
