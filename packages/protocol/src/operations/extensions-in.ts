import type { ExtendOperation, Operation } from "./operation.js";

const NONE: ReadonlyMap<string, readonly ExtendOperation[]> = new Map();

/**
 * What was appended to which message, if these operations do nothing else to messages that were there before. Then the
 * appended texts can be written, and not the messages again.
 */
export function extensionsIn(ops: readonly Operation[]): ReadonlyMap<string, readonly ExtendOperation[]> {
  if (!ops.some((op) => op.op === "extend") || !ops.every(leavesMessages)) return NONE;
  const byMessage = new Map<string, ExtendOperation[]>();
  for (const op of ops) {
    if (op.op !== "extend") continue;
    const known = byMessage.get(op.messageId);
    if (known === undefined) byMessage.set(op.messageId, [op]);
    else known.push(op);
  }
  return byMessage;
}

function leavesMessages(op: Operation): boolean {
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
