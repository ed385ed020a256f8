import type { Message } from "@sessions/protocol";
import type { Usage } from "../agent/agent-event.js";
import { answerText } from "../history/answer-text.js";
import { usageOf } from "../history/turn-marks.js";

/** A finished turn, as it is stored. */
export interface TurnResult {
  readonly sessionId: string;
  readonly turnId: string;
  /** The text of the answer's last message. */
  readonly text: string;
  /** What the turn added after the prompt: answers, tool calls, tool results. */
  readonly messages: readonly Message[];
  /** The usage of this turn. */
  readonly usage: Usage;
  /** The turn had completed before: the model was not called again. */
  readonly duplicate: boolean;
  /** The session's revision after the turn. */
  readonly revision: number;
}

/** The result of a turn, computed from its stored messages. */
export function turnResult(
  turn: Pick<TurnResult, "sessionId" | "turnId" | "duplicate" | "revision">,
  messages: readonly Message[],
): TurnResult {
  const last = messages.findLast((message) => usageOf(message) !== undefined);
  return { ...turn, text: answerText(messages), messages, usage: usageOf(last) ?? {} };
}
