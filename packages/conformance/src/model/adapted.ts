import type { Known } from "./known.js";
import type { MessageIntent } from "./message-intent.js";
import type { OperationIntent } from "./operation-intent.js";

const SIMPLE: MessageIntent = {
  name: "new",
  which: 0,
  role: "user",
  body: { content: "something to work on" },
  extra: [],
  createdAt: undefined,
  status: undefined,
};

/**
 * The operation, or one that makes what it would be aimed at: without this, most operations on a young session would
 * find nothing there.
 */
export function adapted(intent: OperationIntent, known: Known): OperationIntent {
  switch (intent.op) {
    case "remove":
    case "update":
    case "extend":
    case "archive":
      return known.live.length > 0
        ? intent
        : { op: "append", messages: [SIMPLE, SIMPLE], onExisting: "fail" };
    case "settle-archive":
      return known.archiveIds.length > 0
        ? intent
        : adapted({ op: "archive", which: intent.which, target: "live", again: false }, known);
    case "restore":
    case "drop-snapshot":
      return known.snapshotNames.length > 0 ? intent : { op: "snapshot", which: intent.which };
    case "turn":
      if (known.turn !== undefined || (intent.action !== "end" && intent.action !== "renew")) return intent;
      return {
        op: "turn",
        action: "begin",
        turnId: "t1",
        ttlMs: 30_000,
        owner: undefined,
        waited: "first",
        which: 0,
        stale: undefined,
      };
    default:
      return intent;
  }
}

/** Whether an operation can bring a session into being. */
export function creates(intent: OperationIntent): boolean {
  if (intent.op === "turn") return intent.action === "begin" || intent.action === "queue";
  return intent.op === "append" || intent.op === "splice" || intent.op === "create";
}
