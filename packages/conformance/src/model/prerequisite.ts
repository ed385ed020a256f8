import type { MessageIntent } from "./message-intent.js";
import type { OperationIntent } from "./operation-intent.js";
import type { SessionView } from "./session-view.js";

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
 * The operation, or one that creates its target if there is none. Otherwise most operations on a new session would only
 * be refused.
 */
export function orPrerequisite(intent: OperationIntent, view: SessionView): OperationIntent {
  switch (intent.op) {
    case "remove":
    case "update":
    case "extend":
    case "archive":
      return view.live.length > 0 ? intent : { op: "append", messages: [SIMPLE, SIMPLE], onExisting: "fail" };
    case "settle-archive":
      return view.archiveIds.length > 0
        ? intent
        : orPrerequisite({ op: "archive", which: intent.which, target: "live", again: false }, view);
    case "restore":
    case "drop-snapshot":
      return view.snapshotNames.length > 0 ? intent : { op: "snapshot", which: intent.which };
    case "turn":
      if (view.turn !== undefined || (intent.action !== "end" && intent.action !== "renew")) return intent;
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

/** Whether an operation can create a session. */
export function createsSession(intent: OperationIntent): boolean {
  if (intent.op === "turn") return intent.action === "begin" || intent.action === "queue";
  return intent.op === "append" || intent.op === "splice" || intent.op === "create";
}
