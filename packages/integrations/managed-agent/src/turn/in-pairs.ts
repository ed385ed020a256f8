import { type Message, toolLinksOf } from "@sessions/protocol";

/**
 * Messages as a provider takes them: the results of a call right behind the message that makes it. What others added while
 * a tool ran stands behind the results; in the store it stays where it is.
 */
export function inPairs(messages: readonly Message[]): readonly Message[] {
  const callers = new Map<string, Message>();
  const results = new Map<Message, Message[]>();
  const moved = new Set<Message>();
  for (const message of messages) {
    const links = toolLinksOf(message);
    const caller = links.results.map((id) => callers.get(id)).find((one) => one !== undefined);
    for (const id of links.calls) callers.set(id, message);
    if (caller === undefined || links.calls.length > 0) continue;
    results.set(caller, [...(results.get(caller) ?? []), message]);
    moved.add(message);
  }
  return messages.flatMap((message) =>
    moved.has(message) ? [] : [message, ...(results.get(message) ?? [])],
  );
}
