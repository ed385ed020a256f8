import type { CommitRequest, Operation } from "@sessions/protocol/backend";
import type { Wanted } from "./wanted.js";

/** What requests will probably ask for: read at once, it costs one round trip. `runningTurn`: the id of the turn that they may end. */
export function prefetchFor(requests: readonly CommitRequest[], runningTurn: string | undefined): Wanted {
  const ids = new Set<string>();
  const turns = new Set<string>();
  for (const { ops } of requests)
    for (const op of ops) {
      for (const id of messageIdsIn(op)) ids.add(id);
      const turn = turnIn(op, runningTurn);
      if (turn !== undefined) turns.add(turn);
    }
  return {
    ids: [...ids],
    turns: [...turns],
    commits: [...new Set(requests.map(({ id }) => id))],
  };
}

function messageIdsIn(op: Operation): readonly string[] {
  switch (op.op) {
    case "append":
      return op.messages.map(({ id }) => id);
    case "splice":
      return [...idsOfKeep(op.keep), ...op.messages.map(({ id }) => id)];
    case "remove":
      return op.messageIds;
    case "update":
      return [op.message.id];
    case "extend":
      return [op.messageId];
    case "archive":
      return [op.through];
    default:
      return [];
  }
}

/** The turn of which it is asked whether it has ended before. */
function turnIn(op: Operation, runningTurn: string | undefined): string | undefined {
  if (op.op !== "turn") return undefined;
  if (op.action === "begin") return op.turnId;
  return op.action === "end" ? runningTurn : undefined;
}

function idsOfKeep(keep: Extract<Operation, { readonly op: "splice" }>["keep"]): readonly string[] {
  if (typeof keep === "number") return [];
  return "through" in keep ? [keep.through] : [keep.before];
}
