import { groupMessages, type Message } from "@sessions/protocol";

/** The newest messages, at most so many; whole pairs of tool calls and results, and at least the newest of those. */
export function newestGroups(messages: readonly Message[], most: number): readonly Message[] {
  let kept = 0;
  for (const group of groupMessages(messages).toReversed()) {
    if (kept > 0 && kept + group.length > most) break;
    kept += group.length;
  }
  return messages.slice(messages.length - kept);
}
