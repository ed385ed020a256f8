import { equalJson, groupMessages, type Message, type MessageInput } from "@sessions/protocol/integration";

/** A message as it is stored, and as the agent saw it. */
export interface ShownMessage {
  readonly stored: Message;
  readonly shown: Message;
}

/**
 * Applies an agent's changes to the live history: messages that others removed stay removed, messages that they changed stay changed,
 * and messages that they added stay, together with the calls that these answer.
 */
export function rebaseHistory(
  live: readonly Message[],
  rewritten: readonly MessageInput[],
  shown: ReadonlyMap<string, ShownMessage>,
): readonly MessageInput[] {
  const liveById = new Map(live.map((message) => [message.id, message]));
  const kept = rewritten.flatMap((message) => {
    const before = message.id === undefined ? undefined : shown.get(message.id);
    if (before === undefined) return [message];
    const now = liveById.get(before.stored.id);
    if (now === undefined) return [];
    return [equalJson(now, before.stored) ? message : now];
  });
  const first = Math.max(
    0,
    live.findIndex(({ id }) => shown.has(id)),
  );
  const keptIds = new Set(kept.map(({ id }) => id));
  const added = groupMessages(live.slice(first))
    .filter((group) => group.some(({ id }) => !shown.has(id)))
    .flat()
    .filter(({ id }) => !keptIds.has(id));
  return [...live.slice(0, first), ...kept, ...added];
}
