import type { Ticket, TurnState } from "../../backend/session-record.js";
import type {
  BeginTurnOperation,
  EndTurnOperation,
  InterruptTurnOperation,
  LeaveTurnOperation,
  QueueTurnOperation,
  RenewTurnOperation,
  TurnOperation,
} from "../../operations/turn-operation.js";
import { isLeaseOver, leaseEnd } from "../lease.js";
import { type ApplyOperation, type OperationContext, refusal } from "../operation-context.js";
import type { LiveState } from "../session-state.js";
import { turnToken } from "../turn-token.js";
import { turnBusy, turnEnded } from "./turn-end.js";

export const applyTurn: ApplyOperation<TurnOperation> = (state, op, context) => {
  switch (op.action) {
    case "queue":
      return queue(state, op, context);
    case "leave":
      return leave(state, op);
    case "begin":
      return begin(state, op, context);
    case "renew":
      return renew(state, op, context);
    case "interrupt":
      return interrupt(state, op, context);
    case "end":
      return end(state, op, context);
  }
};

function queue(state: LiveState, op: QueueTurnOperation, context: OperationContext): LiveState {
  const waiting = state.queue.find((ticket) => ticket.ticket === op.ticket);
  const ticket: Ticket = {
    ticket: op.ticket,
    turnId: op.turnId,
    ...(op.owner === undefined ? {} : { owner: op.owner }),
    ttlMs: op.ttlMs,
    queuedAt: waiting?.queuedAt ?? context.at,
    ...leaseEnd(op.ttlMs, context),
    renewals: waiting === undefined ? 0 : waiting.renewals + 1,
  };
  if (waiting === undefined) return { ...state, queue: [...state.queue, ticket] };
  return { ...state, queue: state.queue.map((other) => (other === waiting ? ticket : other)) };
}

function leave(state: LiveState, op: LeaveTurnOperation): LiveState {
  const rest = state.queue.filter((ticket) => ticket.ticket !== op.ticket);
  return rest.length === state.queue.length ? state : { ...state, queue: rest };
}

function begin(state: LiveState, op: BeginTurnOperation, context: OperationContext): LiveState {
  // Requests of earlier versions list the unchanged leases in the operation itself.
  const unchangedLeases = [...(context.unchangedLeases ?? []), ...(op.stale ?? [])];
  const gone = (lease: Lease): boolean => isLeaseOver(lease, { ...context, unchangedLeases });
  const { turn } = state;
  if (turn !== undefined && !gone(turn)) throw turnBusy(context, turn);
  const waiting = state.queue.filter(
    (ticket) => ticket.ticket === op.ticket || !gone({ ...ticket, token: ticket.ticket }),
  );
  const first = waiting[0];
  if (first !== undefined && first.ticket !== op.ticket) throw turnBusy(context, first);
  const idle = turn === undefined ? state : turnEnded(state, turn, { outcome: "interrupted" }, context);
  return {
    ...idle,
    turn: begun(op, context),
    queue: waiting.filter((ticket) => ticket.ticket !== op.ticket),
  };
}

type Lease = Parameters<typeof isLeaseOver>[0];

function begun(op: BeginTurnOperation, context: OperationContext): TurnState {
  return {
    turnId: op.turnId,
    token: turnToken(context.revision, op.nonce),
    ...(op.owner === undefined ? {} : { owner: op.owner }),
    ttlMs: op.ttlMs,
    startedAt: context.at,
    ...leaseEnd(op.ttlMs, context),
    renewals: 0,
  };
}

function renew(state: LiveState, _op: RenewTurnOperation, context: OperationContext): LiveState {
  const { domain: _domain, until: _until, ...turn } = held(state, context);
  return { ...state, turn: { ...turn, ...leaseEnd(turn.ttlMs, context), renewals: turn.renewals + 1 } };
}

function interrupt(state: LiveState, op: InterruptTurnOperation, context: OperationContext): LiveState {
  const { turn } = state;
  if (turn === undefined || (op.turnId !== undefined && op.turnId !== turn.turnId)) return state;
  if (op.force === true) return turnEnded(state, turn, { outcome: "interrupted" }, context);
  return turn.interrupted === true ? state : { ...state, turn: { ...turn, interrupted: true } };
}

function end(state: LiveState, op: EndTurnOperation, context: OperationContext): LiveState {
  return turnEnded(state, held(state, context), op, context);
}

// The commit's fence was checked before. This refuses a renewal or an end without a fence.
function held(state: LiveState, context: OperationContext): TurnState {
  const { turn } = state;
  if (turn !== undefined && turn.token === context.fence) return turn;
  throw refusal(context, "INVALID_ARGUMENT", "Renewing or ending a turn needs its token as `fence`.", {
    path: "fence",
  });
}
