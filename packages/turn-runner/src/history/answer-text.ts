import { type Message, textOf } from "@sessions/protocol";

/** The text of the last assistant message; "" if there is none. */
export function answerText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "assistant");
  return last === undefined ? "" : textOf(last);
}
