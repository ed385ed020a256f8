import { type Message, type MessageInput, type UnansweredCall, unansweredCalls } from "@sessions/protocol";
import { missingAnswer, toolNameIn } from "../session/tool-message.js";
import { isPrompt, ofTurn, turnIdOf } from "../session/turn-marks.js";

/** A message that is there, or one to add. */
export type Entry = Message | (MessageInput & { readonly id: string });

/** The live messages as a turn wants to find them, when it begins. */
export interface Tidying {
  readonly turnId: string;
  /** What the turn is asked, in case it is no longer live. */
  readonly prompt: MessageInput;
  readonly newId: () => string;
}

/**
 * The live messages without what an earlier attempt of the same turn left, with the prompt behind all other turns, and
 * with a result for every call that a crash left open.
 */
export function tidied(messages: readonly Message[], tidying: Tidying): readonly Entry[] {
  const { turnId, prompt, newId } = tidying;
  const kept = messages.filter((message) => turnIdOf(message) !== turnId || isPrompt(message));
  const at = kept.findIndex((message) => turnIdOf(message) === turnId);
  const answered = (run: readonly Message[]): readonly Entry[] => withAnswers(run, newId);
  const live = kept[at];
  // The prompt itself was archived since: the model must be asked once more.
  if (live === undefined) return [...answered(kept), { ...prompt, id: newId() }];
  const others = [...kept.slice(0, at), ...kept.slice(at + 1)];
  const isBehind = kept.slice(at + 1).every((message) => turnIdOf(message) === undefined);
  return isBehind ? answered(kept) : [...answered(others), live];
}

/** With a result after each call that has none. */
export function withAnswers(messages: readonly Message[], newId: () => string): readonly Entry[] {
  const open = unansweredCalls(messages);
  if (open.length === 0) return messages;
  let due: Entry[] = [];
  const entries = messages.flatMap((message): Entry[] => {
    // Results of the same message's other calls come first.
    const now = message.role === "tool" ? [] : due;
    if (message.role !== "tool") due = answersTo(message, open, newId);
    return [...now, message];
  });
  return [...entries, ...due];
}

function answersTo(message: Message, open: readonly UnansweredCall[], newId: () => string): Entry[] {
  const turnId = turnIdOf(message);
  const calls = open.filter(({ messageId }) => messageId === message.id);
  return calls.map(({ callId }) => {
    const answer = missingAnswer(callId, toolNameIn(message, callId));
    return { ...(turnId === undefined ? answer : ofTurn(turnId, answer)), id: newId() };
  });
}
