import type { ArchiveOperation, SettleArchiveOperation } from "../../operations/operation.js";
import type { ArchiveInfo, ArchiveSummary } from "../../session/archive-info.js";
import { type History, livePosition } from "../history.js";
import { type Apply, refusal, type Step } from "../operation-context.js";
import { messageNotFound } from "./message-not-found.js";

export const applyArchive: Apply<ArchiveOperation> = (state, op, step) => {
  const { history } = state;
  const position = livePosition(history, op.through);
  const first = history.messages.get(history.liveFrom);
  if (position === undefined || first === undefined) throw messageNotFound(step, op.through);
  refuseUnfinished(history, position, step);
  if (history.archives.some((archive) => archive.id === op.archiveId))
    throw archiveExists(step, op.archiveId);
  const archive: ArchiveInfo = {
    id: op.archiveId,
    createdAt: step.at,
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

export const applySettleArchive: Apply<SettleArchiveOperation> = (state, op, step) => {
  const { archives } = state.history;
  const archive = archives.find((candidate) => candidate.id === op.archiveId);
  if (archive === undefined) throw archiveNotFound(step, op.archiveId);
  if (archive.summary.status === "done") return state; // the first summary wins
  const settled = { ...archive, summary: settledSummary(archive.summary, op, step) };
  const next = archives.map((candidate) => (candidate === archive ? settled : candidate));
  return { ...state, history: { ...state.history, archives: next } };
};

function settledSummary(before: ArchiveSummary, op: SettleArchiveOperation, step: Step): ArchiveSummary {
  if (op.summary !== undefined) return { status: "done", text: op.summary, settledAt: step.at };
  const attempts = before.status === "failed" ? before.attempts + 1 : 1;
  return { status: "failed", error: op.error, attempts, settledAt: step.at };
}

// An archived message cannot be changed any more, so a draft would stay a draft for ever.
function refuseUnfinished(history: History, through: number, step: Step): void {
  const unfinished = history.partials.find((id) => (history.messages.positionOf(id) ?? Infinity) <= through);
  if (unfinished === undefined) return;
  throw refusal(
    step,
    "INVALID_ARGUMENT",
    `Message "${unfinished}" is still being written; archive up to the one before it.`,
    {
      path: "through",
    },
  );
}

function archiveExists(step: Step, archiveId: string): Error {
  return refusal(step, "INVALID_ARGUMENT", `The session has an archive "${archiveId}" already.`, {
    path: "archiveId",
  });
}

export function archiveNotFound(step: Pick<Step, "sessionId">, archiveId: string): Error {
  return refusal(step, "ARCHIVE_NOT_FOUND", `The session has no archive "${archiveId}".`, { archiveId });
}
