import { type Message, type MessageInput, type UnansweredCall, unansweredCalls } from "@sessions/protocol";
import { missingResult, toolNameIn } from "./tool-message.js";
import { markTurn, turnIdOf } from "./turn-marks.js";

/** A message of the session, or one to add. */
export type HistoryEntry = Message | (MessageInput & { readonly id: string });

/** The messages, with an error result behind each tool call that has none. */
export function answerOpenCalls(messages: readonly Message[], newId: () => string): readonly HistoryEntry[] {
  const open = unansweredCalls(messages);
  if (open.length === 0) return messages;
  let due: HistoryEntry[] = [];
  const entries = messages.flatMap((message): HistoryEntry[] => {
    // Stored results of the message's other calls come before the ones that are added.
    const now = message.role === "tool" ? [] : due;
    if (message.role !== "tool") due = missingResults(message, open, newId);
    return [...now, message];
  });
  return [...entries, ...due];
}

function missingResults(
  message: Message,
  open: readonly UnansweredCall[],
  newId: () => string,
): HistoryEntry[] {
  const turnId = turnIdOf(message);
  const calls = open.filter(({ messageId }) => messageId === message.id);
  return calls.map(({ callId }) => {
    const result = missingResult(callId, toolNameIn(message, callId));
    return { ...(turnId === undefined ? result : markTurn(turnId, result)), id: newId() };
  });
}
