import type { CommitRequest } from "../backend/commit-request.js";
import type { Operation } from "../operations/operation.js";
import { expiryAfterUse, used } from "./apply/expiry.js";
import { applyOperation } from "./apply-operation.js";
import type { CommitResult } from "./commit-result.js";
import { EMPTY_WINDOW, remember } from "./memory/commit-window.js";
import { newSession } from "./new-session.js";
import type { OperationContext } from "./operation-context.js";
import { copyOfState, type LiveState, liveRevision, type SessionState } from "./session-state.js";

/** Applies the operations of a commit whose preconditions hold. `before` is the stored state at the time of the commit. */
export function applyOperations(
  stored: SessionState | undefined,
  before: SessionState | undefined,
  request: CommitRequest,
): CommitResult {
  const context = operationContext(request, before?.revision ?? 0);
  const start = before?.status === "live" ? before : newSession(request, before?.commits ?? EMPTY_WINDOW);
  const next = request.ops.reduce((state, op) => applyOperation(state, op, context), start);
  const { at, revision } = context;
  const skipped = context.skipped.length === 0 ? {} : { skipped: context.skipped };
  if (next === start)
    return {
      outcome: { status: "unchanged", revision: liveRevision(before), at, ...skipped },
      state: stored,
    };
  if (start === before && onlyRenews(start, request.ops))
    return { outcome: { status: "applied", revision: start.revision, at }, state: used(next, at) };
  const state = committed(next, before, request, context);
  return { outcome: { status: "applied", revision, at, ...skipped }, state };
}

function operationContext(request: CommitRequest, revision: number): OperationContext {
  const { sessionId, at, fence, ops, leaseTime, unchangedLeases } = request;
  return {
    sessionId,
    at,
    fence,
    revision: revisionAfter(revision, ops),
    skipped: [],
    rewrites: false,
    ...(leaseTime && { leaseTime }),
    ...(unchangedLeases && { unchangedLeases }),
  };
}

/** One more than before, or the revision of an imported document if that is greater. */
function revisionAfter(revision: number, ops: readonly Operation[]): number {
  return ops.reduce((next, op) => (isImport(op) ? Math.max(next, op.document.revision) : next), revision + 1);
}

function isImport(op: Operation): op is Extract<Operation, { readonly document: unknown }> {
  return op.op === "create" || op.op === "adopt";
}

/** Whether a commit only renews leases: it does not raise the revision, and watchers do not see it. */
function onlyRenews(before: LiveState, ops: readonly Operation[]): boolean {
  return ops.every((op) => {
    if (op.op !== "turn") return false;
    if (op.action === "renew") return true;
    return op.action === "queue" && before.queue.some((ticket) => ticket.ticket === op.ticket);
  });
}

/** The state after all operations, with everything that belongs to the commit as a whole. */
function committed(
  next: LiveState,
  before: SessionState | undefined,
  request: CommitRequest,
  context: OperationContext,
): LiveState {
  const { at, revision, skipped, rewrites } = context;
  const state = copyOfState(next);
  state.revision = revision;
  // A merge base from before a deletion belongs to another session, so nothing can be merged into this one.
  if (rewrites || before?.status === "deleted") state.rewrittenAt = revision;
  state.commits = remember(next.commits, request, { revision, at, skipped });
  // An import is a copy: it does not count as a change or as a use of the session.
  if (request.ops.some(isImport)) return state;
  state.updatedAt = Math.max(next.updatedAt, at);
  const expiresAt = expiryAfterUse(next, at);
  if (expiresAt !== undefined) state.expiresAt = expiresAt;
  return state;
}
