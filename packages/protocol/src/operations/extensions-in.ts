import type { ExtendOperation, Operation } from "./operation.js";

const NONE: ReadonlyMap<string, readonly ExtendOperation[]> = new Map();

/**
 * The extensions of each message, if these operations change existing messages in no other way. Then a store can write the
 * extensions alone instead of whole messages. Otherwise empty.
 */
export function extensionsIn(ops: readonly Operation[]): ReadonlyMap<string, readonly ExtendOperation[]> {
  if (!ops.some((op) => op.op === "extend") || !ops.every(keepsOtherMessages)) return NONE;
  const byMessage = new Map<string, ExtendOperation[]>();
  for (const op of ops) {
    if (op.op !== "extend") continue;
    const earlier = byMessage.get(op.messageId);
    if (earlier === undefined) byMessage.set(op.messageId, [op]);
    else earlier.push(op);
  }
  return byMessage;
}

/** Whether an operation changes no existing message, except by extending it. */
function keepsOtherMessages(op: Operation): boolean {
  switch (op.op) {
    case "append":
      return op.onExisting !== "replace";
    case "turn":
      return op.action === "renew" || op.action === "queue" || op.action === "leave";
    case "extend":
    case "set":
    case "count":
    case "settle-archive":
      return true;
    default:
      return false;
  }
}
