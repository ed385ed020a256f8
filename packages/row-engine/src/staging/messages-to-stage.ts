import { type CommitRequest, type Message, type Operation, withCreatedAt } from "@sessions/protocol/backend";

/** A commit with at least this many messages is written in slices, so that neither the event loop nor other writers wait long. */
const MIN_STAGED = 500;

/** The messages that a request should stage, as they will be if they are added. None for a commit that is not large. */
export function messagesToStage(
  { ops, at }: CommitRequest,
  isStored: (message: Message) => boolean,
): readonly Message[] {
  if (ops.reduce((count, op) => count + countIn(op), 0) < MIN_STAGED) return [];
  const messages = ops.flatMap((op) => messagesIn(op, at)).filter((message) => !isStored(message));
  return messages.length < MIN_STAGED ? [] : messages;
}

function countIn(op: Operation): number {
  if (op.op === "append" || op.op === "splice") return op.messages.length;
  return op.op === "create" || op.op === "adopt" ? op.document.messages.length : 0;
}

function messagesIn(op: Operation, at: number): readonly Message[] {
  if (op.op === "append" || op.op === "splice") return op.messages.map((draft) => withCreatedAt(draft, at));
  if (op.op !== "create" && op.op !== "adopt") return [];
  const { messages, snapshots } = op.document;
  return [...messages, ...snapshots.flatMap((snapshot) => snapshot.messages)];
}
