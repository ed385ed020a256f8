import type { SessionHistoryMutation } from "@openai/agents";
import { type Message, type OperationInput, remove, update } from "@sessions/protocol";
import { itemsOf, messageOf } from "../items/item-message.js";

/**
 * The operations of the SDK's mutations. As in the SDK's own sessions, the first call with the id is replaced and others with the same id
 * are removed. Each mutation applies to the result of those before it.
 */
export function mutateHistory(
  messages: readonly Message[],
  mutations: readonly SessionHistoryMutation[],
): readonly OperationInput[] {
  const calls = new Map(messages.flatMap(callIn).map((call) => [call.id, call]));
  const removed: string[] = [];
  for (const { type, callId, replacement } of mutations) {
    if (type !== "replace_function_call") continue;
    const [first, ...others] = [...calls.values()].filter((call) => call.callId === callId);
    if (first === undefined) continue;
    calls.set(first.id, { ...first, callId: replacement.callId, replacement });
    for (const { id } of others) calls.delete(id);
    removed.push(...others.map(({ id }) => id));
  }
  const updates = [...calls.values()].flatMap(({ id, metadata, replacement }) =>
    replacement === undefined ? [] : [update({ id, ...messageOf(replacement, metadata) })],
  );
  return removed.length === 0 ? updates : [...updates, remove(removed)];
}

interface Call extends Pick<Message, "id" | "metadata"> {
  readonly callId: string;
  readonly replacement?: SessionHistoryMutation["replacement"];
}

function callIn(message: Message): Call[] {
  const [item, ...more] = itemsOf(message);
  if (item?.type !== "function_call" || more.length > 0) return [];
  const { id, metadata } = message;
  return [{ id, callId: item.callId, ...(metadata === undefined ? {} : { metadata }) }];
}
