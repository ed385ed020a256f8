import type { CommitRequest } from "../backend/commit-request.js";
import { SessionError } from "../errors/session-error.js";
import { sessionNotFound } from "../errors/session-not-found.js";
import type { Operation } from "../operations/operation.js";
import { isLeaseOver } from "./lease.js";
import type { LiveState, SessionState } from "./session-state.js";

/** Existence, fence, then the other preconditions. Throws for the first that does not hold. */
export function checkPreconditions(state: SessionState | undefined, request: CommitRequest): void {
  const live = state?.status === "live" ? state : undefined;
  checkExistence(live, request);
  checkFence(live, request);
  checkRevision(live, request);
  checkIdle(live, request);
}

function checkExistence(live: LiveState | undefined, request: CommitRequest): void {
  const { sessionId } = request;
  const creates = request.ops.some((op) => op.op === "create");
  if (live !== undefined && creates) throw exists(sessionId);
  // A fenced commit never creates a session: the turn ended with the session.
  if (live !== undefined || request.fence !== undefined || request.ops.some(canCreate)) return;
  throw sessionNotFound(sessionId);
}

function canCreate(op: Operation): boolean {
  if (op.op === "turn") return op.action === "begin" || op.action === "queue";
  return op.op === "create" || op.op === "append" || op.op === "splice";
}

function checkFence(live: LiveState | undefined, request: CommitRequest): void {
  if (request.fence === undefined || request.fence === live?.turn?.token) return;
  const reason = live === undefined ? "session-gone" : live.turn === undefined ? "ended" : "taken-over";
  throw SessionError.of(
    "TURN_LOST",
    `This turn no longer holds session "${request.sessionId}"; stop writing.`,
    {
      sessionId: request.sessionId,
      reason,
    },
  );
}

function checkRevision(live: LiveState | undefined, request: CommitRequest): void {
  const { sessionId, ifRevision } = request;
  const actual = live?.revision ?? 0;
  if (ifRevision !== undefined && ifRevision !== actual) {
    throw SessionError.of(
      "REVISION_CONFLICT",
      `Session "${sessionId}" is at revision ${actual}, not ${ifRevision}. Read it again and decide anew.`,
      { sessionId, expected: ifRevision, actual },
    );
  }
  if (request.ifAbsent === true && live !== undefined) throw exists(sessionId);
}

function checkIdle(live: LiveState | undefined, request: CommitRequest): void {
  const turn = live?.turn;
  if (
    request.ifIdle !== true ||
    turn === undefined ||
    isLeaseOver(turn, request) ||
    turn.token === request.fence
  )
    return;
  throw SessionError.of("TURN_BUSY", `Turn "${turn.turnId}" is running on session "${request.sessionId}".`, {
    sessionId: request.sessionId,
    turnId: turn.turnId,
    expiresAt: turn.expiresAt,
  });
}

function exists(sessionId: string): SessionError {
  return SessionError.of(
    "SESSION_EXISTS",
    `There is a session "${sessionId}" already; it was left as it is.`,
    { sessionId },
  );
}
