import type { Message } from "../message.js";
import { pairMessages } from "./pair-messages.js";

/** A tool call that no message answers. */
export interface UnansweredCall {
  /** The message that makes the call. */
  readonly messageId: string;
  readonly callId: string;
}

/**
 * The tool calls that no message answers, in order: what an abort or a crash leaves behind, and what a
 * provider refuses until each has a result. Calls that the provider itself runs are not among them: nobody
 * else can answer those. Exact on any newest part of a session, because answers come after their calls.
 */
export function unansweredCalls(messages: readonly Message[]): readonly UnansweredCall[] {
  const { openCalls, providerRun } = pairMessages(messages);
  return openCalls.flatMap(({ index, id }) => {
    const message = messages[index];
    if (message === undefined || providerRun.get(index)?.has(id)) return [];
    return [{ messageId: message.id, callId: id }];
  });
}
