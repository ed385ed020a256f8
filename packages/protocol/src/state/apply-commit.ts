import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import { SessionError } from "../errors/session-error.js";
import type { Operation } from "../operations/operation.js";
import type { BeginTurnOperation } from "../operations/turn-operation.js";
import { endAfterUse, used } from "./apply/expiry.js";
import { applyOperation } from "./apply-operation.js";
import { checkPreconditions } from "./check-preconditions.js";
import { EMPTY_HISTORY } from "./history.js";
import { incarnationOf } from "./incarnation-of.js";
import { type CommitWindow, EMPTY_WINDOW, recall, remember } from "./memory/commit-window.js";
import { TwoGenerationMemory } from "./memory/two-generation-memory.js";
import type { OperationContext } from "./operation-context.js";
import { copyOfState, type LiveState, type SessionState, stateAt } from "./session-state.js";

/** What became of a commit, and the state after it. */
export interface CommitResult {
  readonly outcome: CommitOutcome;
  /** The very same object where nothing changed. */
  readonly state: SessionState | undefined;
}

/**
 * The reference semantics of every store: applies one commit to one session, all or nothing. Pure and total; a
 * refusal is an outcome. Checks come in a decided order: commit id, existence, fence, revision and other
 * preconditions, then the operations themselves.
 */
export function applyCommit(state: SessionState | undefined, request: CommitRequest): CommitResult {
  try {
    return accepted(state, request);
  } catch (error) {
    // Only refusals are outcomes; anything else is a bug and must not pass for one.
    if (!SessionError.is(error)) throw error;
    return { outcome: { status: "rejected", error }, state };
  }
}

function accepted(stored: SessionState | undefined, request: CommitRequest): CommitResult {
  const before = stateAt(stored, request.at);
  const known = recall(before?.commits ?? EMPTY_WINDOW, request);
  if (known !== undefined) return { outcome: known, state: stored };
  const { at, ops } = request;
  const unchanged = { status: "unchanged", revision: liveRevision(before), at } as const;
  if (ops.length === 0) return { outcome: unchanged, state: stored };
  const isDelete = ops.every((op) => op.op === "delete");
  if (isDelete && before?.status !== "live" && request.fence === undefined) {
    return { outcome: unchanged, state: stored };
  }
  checkPreconditions(before, request);
  if (isDelete && before?.status === "live") return deleted(before, request);
  const finished = finishedTurn(before, ops);
  if (finished !== undefined) return { outcome: { ...unchanged, finished }, state: stored };
  return committed(stored, before, request, operationContext(request, before?.revision ?? 0));
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

function committed(
  stored: SessionState | undefined,
  before: SessionState | undefined,
  request: CommitRequest,
  context: OperationContext,
): CommitResult {
  const start = before?.status === "live" ? before : fresh(request, before?.commits ?? EMPTY_WINDOW);
  const next = request.ops.reduce((state, op) => applyOperation(state, op, context), start);
  const { at } = context;
  const skipped = context.skipped.length === 0 ? {} : { skipped: context.skipped };
  if (next === start)
    return {
      outcome: { status: "unchanged", revision: liveRevision(before), at, ...skipped },
      state: stored,
    };
  if (start === before && onlyRenewals(start, request.ops)) {
    return { outcome: { status: "applied", revision: start.revision, at }, state: used(next, at) };
  }
  const { revision } = context;
  const commits = remember(next.commits, request, { revision, at, skipped: context.skipped });
  const state = copyOfState(next);
  state.revision = revision;
  // A base from before a deletion names another life of the id: nothing of that one can be merged into this one.
  if (context.rewrites || before?.status === "deleted") state.rewrittenAt = revision;
  state.commits = commits;
  // An import is a copy: it is neither a change of the session nor a use of it.
  if (!imports(request.ops)) {
    state.updatedAt = Math.max(next.updatedAt, at);
    const expiresAt = endAfterUse(next, at);
    if (expiresAt !== undefined) state.expiresAt = expiresAt;
  }
  return { outcome: { status: "applied", revision, at, ...skipped }, state };
}

function deleted(before: LiveState, request: CommitRequest): CommitResult {
  const { at } = request;
  const revision = before.revision + 1;
  const commits = remember(before.commits, request, { revision, at, skipped: [] });
  return {
    outcome: { status: "applied", revision, at },
    state: { status: "deleted", revision, deletedAt: at, commits },
  };
}

/** A session that its first commit brings into being. */
function fresh(request: CommitRequest, commits: CommitWindow): LiveState {
  return {
    status: "live",
    incarnation: incarnationOf(request),
    revision: 0,
    createdAt: request.at,
    updatedAt: request.at,
    labels: {},
    metadata: {},
    counters: {},
    history: EMPTY_HISTORY,
    rewrittenAt: 0,
    snapshots: [],
    queue: [],
    finishedTurns: TwoGenerationMemory.empty(),
    commits,
  };
}

/** One more than before, or what an imported document says if that is more. */
function revisionAfter(revision: number, ops: readonly Operation[]): number {
  return ops.reduce((next, op) => (isImport(op) ? Math.max(next, op.document.revision) : next), revision + 1);
}

function isImport(op: Operation): op is Extract<Operation, { readonly document: unknown }> {
  return op.op === "create" || op.op === "adopt";
}

function imports(ops: readonly Operation[]): boolean {
  return ops.some(isImport);
}

function finishedTurn(before: SessionState | undefined, ops: readonly Operation[]): string | undefined {
  if (before?.status !== "live") return undefined;
  const begin = ops.find(isBegin);
  return begin === undefined ? undefined : before.finishedTurns.get(begin.turnId)?.id;
}

function isBegin(op: Operation): op is BeginTurnOperation {
  return op.op === "turn" && op.action === "begin";
}

/** Whether a commit only keeps leases alive: it raises no revision and is not fed. */
function onlyRenewals(before: LiveState, ops: readonly Operation[]): boolean {
  return ops.every((op) => {
    if (op.op !== "turn") return false;
    if (op.action === "renew") return true;
    return op.action === "queue" && before.queue.some((ticket) => ticket.ticket === op.ticket);
  });
}

function liveRevision(state: SessionState | undefined): number {
  return state?.status === "live" ? state.revision : 0;
}
