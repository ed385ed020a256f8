import { type OperationContext, refusal } from "../operation-context.js";

export function messageNotFound(context: Pick<OperationContext, "sessionId">, messageId: string): Error {
  return refusal(
    context,
    "MESSAGE_NOT_FOUND",
    `No live message has the id "${messageId}". Archived messages cannot be changed.`,
    {
      messageId,
    },
  );
}

/** For reads, which may name archived messages too. */
export function notHeld(sessionId: string, messageId: string): Error {
  return refusal(
    { sessionId },
    "MESSAGE_NOT_FOUND",
    `The session holds no message with the id "${messageId}".`,
    {
      messageId,
    },
  );
}
