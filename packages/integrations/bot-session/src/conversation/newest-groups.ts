import { groupMessages, type Message } from "@sessions/protocol";

/** The newest messages, at most `max`. Tool calls and results stay together, so the newest group may exceed `max`. */
export function newestGroups(messages: readonly Message[], max: number): readonly Message[] {
  let kept = 0;
  for (const group of groupMessages(messages).toReversed()) {
    if (kept > 0 && kept + group.length > max) break;
    kept += group.length;
  }
  return messages.slice(messages.length - kept);
}
