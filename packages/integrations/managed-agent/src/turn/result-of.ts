import { type Message, textOf } from "@sessions/protocol";
import { usageOf } from "../session/turn-marks.js";
import type { TurnResult } from "../turn-result.js";

/** The result of a turn, from its messages as they are stored. */
export function resultOf(
  turn: Pick<TurnResult, "sessionId" | "turnId" | "duplicate" | "revision">,
  messages: readonly Message[],
): TurnResult {
  const told = messages.findLast((message) => usageOf(message) !== undefined);
  return { ...turn, text: answerText(messages), messages, usage: usageOf(told) ?? {} };
}

/** The text of the last answer. */
export function answerText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "assistant");
  return last === undefined ? "" : textOf(last);
}
