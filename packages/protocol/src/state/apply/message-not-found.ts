import { refusal, type Step } from "../step.js";

export function messageNotFound(step: Pick<Step, "sessionId">, messageId: string): Error {
  return refusal(
    step,
    "MESSAGE_NOT_FOUND",
    `No live message has the id "${messageId}". Archived messages cannot be changed.`,
    {
      messageId,
    },
  );
}
