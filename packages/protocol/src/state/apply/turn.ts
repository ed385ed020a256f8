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
import { type Apply, refusal, type Step } from "../operation-context.js";
import type { LiveState } from "../session-state.js";
import { turnToken } from "../turn-token.js";
import { turnBusy, turnEnded } from "./turn-end.js";

export const applyTurn: Apply<TurnOperation> = (state, op, step) => {
  switch (op.action) {
    case "queue":
      return queue(state, op, step);
    case "leave":
      return leave(state, op);
    case "begin":
      return begin(state, op, step);
    case "renew":
      return renew(state, op, step);
    case "interrupt":
      return interrupt(state, op, step);
    case "end":
      return end(state, op, step);
  }
};

function queue(state: LiveState, op: QueueTurnOperation, step: Step): LiveState {
  const waiting = state.queue.find((ticket) => ticket.ticket === op.ticket);
  const ticket: Ticket = {
    ticket: op.ticket,
    turnId: op.turnId,
    ...(op.owner === undefined ? {} : { owner: op.owner }),
    ttlMs: op.ttlMs,
    queuedAt: waiting?.queuedAt ?? step.at,
    ...leaseEnd(op.ttlMs, step),
    renewals: waiting === undefined ? 0 : waiting.renewals + 1,
  };
  if (waiting === undefined) return { ...state, queue: [...state.queue, ticket] };
  return { ...state, queue: state.queue.map((other) => (other === waiting ? ticket : other)) };
}

function leave(state: LiveState, op: LeaveTurnOperation): LiveState {
  const rest = state.queue.filter((ticket) => ticket.ticket !== op.ticket);
  return rest.length === state.queue.length ? state : { ...state, queue: rest };
}

function begin(state: LiveState, op: BeginTurnOperation, step: Step): LiveState {
  // Requests of earlier versions name the leases that they saw unchanged in the operation.
  const unchangedLeases = [...(step.unchangedLeases ?? []), ...(op.stale ?? [])];
  const gone = (lease: Lease): boolean => isLeaseOver(lease, { ...step, unchangedLeases });
  const { turn } = state;
  if (turn !== undefined && !gone(turn)) throw turnBusy(step, turn);
  const waiting = state.queue.filter(
    (ticket) => ticket.ticket === op.ticket || !gone({ ...ticket, token: ticket.ticket }),
  );
  const first = waiting[0];
  if (first !== undefined && first.ticket !== op.ticket) throw turnBusy(step, first);
  const idle = turn === undefined ? state : turnEnded(state, turn, { outcome: "interrupted" }, step);
  return { ...idle, turn: begun(op, step), queue: waiting.filter((ticket) => ticket.ticket !== op.ticket) };
}

type Lease = Parameters<typeof isLeaseOver>[0];

function begun(op: BeginTurnOperation, step: Step): TurnState {
  return {
    turnId: op.turnId,
    token: turnToken(step.revision, op.nonce),
    ...(op.owner === undefined ? {} : { owner: op.owner }),
    ttlMs: op.ttlMs,
    startedAt: step.at,
    ...leaseEnd(op.ttlMs, step),
    renewals: 0,
  };
}

function renew(state: LiveState, _op: RenewTurnOperation, step: Step): LiveState {
  const { domain: _domain, until: _until, ...turn } = held(state, step);
  return { ...state, turn: { ...turn, ...leaseEnd(turn.ttlMs, step), renewals: turn.renewals + 1 } };
}

function interrupt(state: LiveState, op: InterruptTurnOperation, step: Step): LiveState {
  const { turn } = state;
  if (turn === undefined || (op.turnId !== undefined && op.turnId !== turn.turnId)) return state;
  if (op.force === true) return turnEnded(state, turn, { outcome: "interrupted" }, step);
  return turn.interrupted === true ? state : { ...state, turn: { ...turn, interrupted: true } };
}

function end(state: LiveState, op: EndTurnOperation, step: Step): LiveState {
  return turnEnded(state, held(state, step), op, step);
}

// The commit's fence was checked before; this catches a renewal or an end that came without one.
function held(state: LiveState, step: Step): TurnState {
  const { turn } = state;
  if (turn !== undefined && turn.token === step.fence) return turn;
  throw refusal(step, "INVALID_ARGUMENT", "Renewing or ending a turn needs its token as `fence`.", {
    path: "fence",
  });
}
