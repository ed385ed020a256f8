import type { CommitRequest } from "../backend/commit-request.js";
import { SessionError } from "../errors/session-error.js";
import type { Operation } from "../operations/operation.js";
import type { BeginTurnOperation } from "../operations/turn-operation.js";
import { applyOperations } from "./apply-operations.js";
import { checkPreconditions } from "./check-preconditions.js";
import type { CommitResult } from "./commit-result.js";
import { EMPTY_WINDOW, recall, remember } from "./memory/commit-window.js";
import { type LiveState, liveRevision, type SessionState, stateAt } from "./session-state.js";

/**
 * The reference semantics of every store: applies one commit to one session, all or nothing. It is pure, and a refusal is an
 * outcome. The order of the checks is part of the contract: commit id, existence, fence, revision and other preconditions,
 * then the operations.
 */
export function applyCommit(state: SessionState | undefined, request: CommitRequest): CommitResult {
  try {
    return evaluate(state, request);
  } catch (error) {
    // Only refusals are outcomes. Any other error is a bug.
    if (!SessionError.is(error)) throw error;
    return { outcome: { status: "rejected", error }, state };
  }
}

function evaluate(stored: SessionState | undefined, request: CommitRequest): CommitResult {
  const { at, ops } = request;
  const before = stateAt(stored, at);
  const duplicate = recall(before?.commits ?? EMPTY_WINDOW, request);
  if (duplicate !== undefined) return { outcome: duplicate, state: stored };
  const unchanged = { status: "unchanged", revision: liveRevision(before), at } as const;
  if (ops.length === 0) return { outcome: unchanged, state: stored };
  const isDelete = ops.every((op) => op.op === "delete");
  if (isDelete && before?.status !== "live" && request.fence === undefined)
    return { outcome: unchanged, state: stored };
  checkPreconditions(before, request);
  if (isDelete && before?.status === "live") return deleteSession(before, request);
  const finished = finishedTurn(before, ops);
  if (finished !== undefined) return { outcome: { ...unchanged, finished }, state: stored };
  return applyOperations(stored, before, request);
}

function deleteSession(before: LiveState, request: CommitRequest): CommitResult {
  const { at } = request;
  const revision = before.revision + 1;
  const commits = remember(before.commits, request, { revision, at, skipped: [] });
  return {
    outcome: { status: "applied", revision, at },
    state: { status: "deleted", revision, deletedAt: at, commits },
  };
}

/** The id of the turn that the operations would begin, if that has completed before. */
function finishedTurn(before: SessionState | undefined, ops: readonly Operation[]): string | undefined {
  if (before?.status !== "live") return undefined;
  const begin = ops.find(isBegin);
  return begin === undefined ? undefined : before.finishedTurns.get(begin.turnId)?.id;
}

function isBegin(op: Operation): op is BeginTurnOperation {
  return op.op === "turn" && op.action === "begin";
}
