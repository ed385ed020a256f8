import type { CommitRequest, Operation } from "@sessions/protocol/backend";
import { commitField, turnField } from "./memory-source.js";
import type { Wanted } from "./missing.js";

/** More fields than this are read when they turn out to be needed. */
const MOST_FIELDS = 1000;

/** What requests will probably ask for: read at once, it costs one round trip. `runningTurn`: the id of the turn that they may end. */
export function wantedBy(
  requests: readonly CommitRequest[],
  runningTurn: string | undefined,
): Wanted & { readonly likely: readonly string[] } {
  const fields = new Set<string>();
  for (const { ops } of requests)
    for (const op of ops) for (const field of fieldsOf(op, runningTurn)) fields.add(field);
  const likely = [...fields];
  return {
    fields: likely.slice(0, MOST_FIELDS),
    likely,
    memories: [...new Set(requests.map(({ id }) => commitField(id)))],
  };
}

function fieldsOf(op: Operation, runningTurn: string | undefined): readonly string[] {
  const message = (id: string): string => `i${id}`;
  switch (op.op) {
    case "append":
      return op.messages.map(({ id }) => message(id));
    case "splice":
      return [...idsOfKeep(op.keep), ...op.messages.map(({ id }) => id)].map(message);
    case "remove":
      return op.messageIds.map(message);
    case "update":
      return [message(op.message.id)];
    case "extend":
      return [message(op.messageId)];
    case "archive":
      return [message(op.through)];
    case "turn":
      return turnOf(op, runningTurn).map(turnField);
    default:
      return [];
  }
}

/** The turn that it is asked of whether it has ended before. */
function turnOf(
  op: Extract<Operation, { readonly op: "turn" }>,
  runningTurn: string | undefined,
): readonly string[] {
  if (op.action === "begin") return [op.turnId];
  return op.action === "end" && runningTurn !== undefined ? [runningTurn] : [];
}

function idsOfKeep(keep: Extract<Operation, { readonly op: "splice" }>["keep"]): readonly string[] {
  if (typeof keep === "number") return [];
  return "through" in keep ? [keep.through] : [keep.before];
}
