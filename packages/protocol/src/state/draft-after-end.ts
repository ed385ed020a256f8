import type { MessageDraft } from "../message/message.js";
import type { EndTurnOperation } from "../operations/turn-operation.js";

type TurnEnd = Pick<EndTurnOperation, "outcome" | "drafts">;

/** Whether the end of a turn finishes what is still partial. Otherwise it becomes interrupted. */
export function finishesDrafts({ outcome, drafts }: TurnEnd): boolean {
  return outcome === "completed" && drafts === "finish";
}

/** A message that a turn's last commit brought along, as it is after the turn's end. */
export function draftAfterEnd(draft: MessageDraft, end: TurnEnd): MessageDraft {
  if (draft.status !== "partial") return draft;
  if (!finishesDrafts(end)) return { ...draft, status: "interrupted" };
  const { status: _, ...rest } = draft;
  return { ...rest, id: draft.id, role: draft.role };
}
