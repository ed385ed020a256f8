import type { MessageDraft } from "../message/message.js";
import type { EndTurnOperation } from "../operations/turn-operation.js";

type TurnEnd = Pick<EndTurnOperation, "outcome" | "drafts">;

/** Whether the end of a turn finishes the partial messages. Otherwise they become interrupted. */
export function finishesDrafts({ outcome, drafts }: TurnEnd): boolean {
  return outcome === "completed" && drafts === "finish";
}

/** A message of the commit that ends a turn, as it is after the end. */
export function draftAfterEnd(draft: MessageDraft, end: TurnEnd): MessageDraft {
  if (draft.status !== "partial") return draft;
  if (!finishesDrafts(end)) return { ...draft, status: "interrupted" };
  const { status: _, ...rest } = draft;
  return { ...rest, id: draft.id, role: draft.role };
}
