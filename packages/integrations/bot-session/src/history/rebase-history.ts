import { equalJson, groupMessages, type Message, type MessageInput } from "@sessions/protocol/integration";

/** A message as it is stored, and as the agent saw it. */
export interface Handed {
  readonly stored: Message;
  readonly shown: Message;
}

/**
 * What an agent made of the history that it was handed, done to the history that is there now: what others removed
 * stays removed, what they changed stays changed, and what they added stays, with the calls that it answers.
 */
export function rebased(
  live: readonly Message[],
  own: readonly MessageInput[],
  handed: ReadonlyMap<string, Handed>,
): readonly MessageInput[] {
  const liveById = new Map(live.map((message) => [message.id, message]));
  const kept = own.flatMap((message) => {
    const before = message.id === undefined ? undefined : handed.get(message.id);
    if (before === undefined) return [message];
    const now = liveById.get(before.stored.id);
    if (now === undefined) return [];
    return [equalJson(now, before.stored) ? message : now];
  });
  const first = Math.max(
    0,
    live.findIndex(({ id }) => handed.has(id)),
  );
  const named = new Set(kept.map(({ id }) => id));
  const added = groupMessages(live.slice(first))
    .filter((group) => group.some(({ id }) => !handed.has(id)))
    .flat()
    .filter(({ id }) => !named.has(id));
  return [...live.slice(0, first), ...kept, ...added];
}
