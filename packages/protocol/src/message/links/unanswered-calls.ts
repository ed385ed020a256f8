import type { Message } from "../message.js";
import { pairMessages } from "./pair-messages.js";

/** A tool call without an answer. */
export interface UnansweredCall {
  /** The message that makes the call. */
  readonly messageId: string;
  readonly callId: string;
}

/**
 * The tool calls that no message answers, in order. An abort or a crash leaves them behind, and a provider refuses a history
 * until each has a result. Calls that the provider itself runs are not included: nobody else can answer them. The result is
 * exact on the newest part of a session too, because answers come after their calls.
 */
export function unansweredCalls(messages: readonly Message[]): readonly UnansweredCall[] {
  const { openCalls, providerRun } = pairMessages(messages);
  return openCalls.flatMap(({ index, id }) => {
    const message = messages[index];
    if (message === undefined || providerRun.get(index)?.has(id)) return [];
    return [{ messageId: message.id, callId: id }];
  });
}
