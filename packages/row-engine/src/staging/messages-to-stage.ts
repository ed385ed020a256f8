import { type CommitRequest, type Message, type Operation, withCreatedAt } from "@sessions/protocol/backend";

/** A commit with at least this many messages is written in slices, so that neither the event loop nor other writers wait long. */
const MIN_STAGED = 500;

/** Whether a request may bring so many messages that they should be staged. */
export function isLarge({ ops }: CommitRequest): boolean {
  return ops.reduce((count, op) => count + countIn(op), 0) >= MIN_STAGED;
}

/** The messages that a large request should stage, as they will be if they are added: none if most are stored already. */
export function messagesToStage(
  { ops, at }: CommitRequest,
  isStored: (message: Message) => boolean,
): readonly Message[] {
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
