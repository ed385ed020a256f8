import type { ArchiveOperation, SettleArchiveOperation } from "../../operations/operation.js";
import type { ArchiveInfo, ArchiveSummary } from "../../session/archive-info.js";
import { type History, livePosition } from "../history.js";
import { type ApplyOperation, type OperationContext, refusal } from "../operation-context.js";
import { messageNotFound } from "./message-not-found.js";

export const applyArchive: ApplyOperation<ArchiveOperation> = (state, op, context) => {
  const { history } = state;
  const position = livePosition(history, op.through);
  const first = history.messages.get(history.liveFrom);
  if (position === undefined || first === undefined) throw messageNotFound(context, op.through);
  refuseUnfinished(history, position, context);
  if (history.archives.some((archive) => archive.id === op.archiveId))
    throw archiveExists(context, op.archiveId);
  const archive: ArchiveInfo = {
    id: op.archiveId,
    createdAt: context.at,
    messageCount: position + 1 - history.liveFrom,
    firstMessageId: first.id,
    lastMessageId: op.through,
    summary: { status: "pending" },
  };
  return {
    ...state,
    history: { ...history, liveFrom: position + 1, archives: [...history.archives, archive] },
  };
};

export const applySettleArchive: ApplyOperation<SettleArchiveOperation> = (state, op, context) => {
  const { archives } = state.history;
  const archive = archives.find((candidate) => candidate.id === op.archiveId);
  if (archive === undefined) throw archiveNotFound(context, op.archiveId);
  if (archive.summary.status === "done") return state; // the first summary wins
  const settled = { ...archive, summary: settledSummary(archive.summary, op, context) };
  const next = archives.map((candidate) => (candidate === archive ? settled : candidate));
  return { ...state, history: { ...state.history, archives: next } };
};

function settledSummary(
  before: ArchiveSummary,
  op: SettleArchiveOperation,
  context: OperationContext,
): ArchiveSummary {
  if (op.summary !== undefined) return { status: "done", text: op.summary, settledAt: context.at };
  const attempts = before.status === "failed" ? before.attempts + 1 : 1;
  return { status: "failed", error: op.error, attempts, settledAt: context.at };
}

// An archived message cannot be changed, so an archived draft could never be finished.
function refuseUnfinished(history: History, through: number, context: OperationContext): void {
  const unfinished = history.partials.find((id) => (history.messages.positionOf(id) ?? Infinity) <= through);
  if (unfinished === undefined) return;
  throw refusal(
    context,
    "INVALID_ARGUMENT",
    `Message "${unfinished}" is still being written; archive up to the one before it.`,
    {
      path: "through",
    },
  );
}

function archiveExists(context: OperationContext, archiveId: string): Error {
  return refusal(context, "INVALID_ARGUMENT", `The session has an archive "${archiveId}" already.`, {
    path: "archiveId",
  });
}

export function archiveNotFound(context: Pick<OperationContext, "sessionId">, archiveId: string): Error {
  return refusal(context, "ARCHIVE_NOT_FOUND", `The session has no archive "${archiveId}".`, { archiveId });
}
