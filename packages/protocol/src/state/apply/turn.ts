import type { Ticket, TurnState } from "../../backend/session-record.js";
import type {
  BeginTurnOperation,
  EndTurnOperation,
  InterruptTurnOperation,
  LeaveTurnOperation,
  QueueTurnOperation,
  RenewTurnOperation,
  Stale,
  TurnOperation,
} from "../../operations/turn-operation.js";
import type { LiveState } from "../session-state.js";
import { type Apply, refusal, type Step } from "../step.js";
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
    expiresAt: step.at + op.ttlMs,
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
  const gone = (lease: Lease): boolean => isGone(lease, op.stale ?? [], step.at);
  const { turn } = state;
  if (turn !== undefined && !gone({ ...turn, token: turn.token })) throw turnBusy(step, turn);
  const waiting = state.queue.filter(
    (ticket) => ticket.ticket === op.ticket || !gone({ ...ticket, token: ticket.ticket }),
  );
  const first = waiting[0];
  if (first !== undefined && first.ticket !== op.ticket) throw turnBusy(step, first);
  const idle = turn === undefined ? state : turnEnded(state, turn, { outcome: "interrupted" }, step);
  return { ...idle, turn: begun(op, step), queue: waiting.filter((ticket) => ticket.ticket !== op.ticket) };
}

type Lease = Pick<TurnState, "token" | "expiresAt" | "renewals">;

// By the store's clock, or because the beginner saw it stand still for its whole time to live: the latter so that
// a clock that was stepped back does not lock a session for hours.
function isGone(lease: Lease, stale: readonly Stale[], at: number): boolean {
  if (lease.expiresAt <= at) return true;
  return stale.some((seen) => seen.token === lease.token && seen.renewals === lease.renewals);
}

function begun(op: BeginTurnOperation, step: Step): TurnState {
  return {
    turnId: op.turnId,
    token: turnToken(step.revision, op.nonce),
    ...(op.owner === undefined ? {} : { owner: op.owner }),
    ttlMs: op.ttlMs,
    startedAt: step.at,
    expiresAt: step.at + op.ttlMs,
    renewals: 0,
  };
}

function renew(state: LiveState, _op: RenewTurnOperation, step: Step): LiveState {
  const turn = held(state, step);
  return { ...state, turn: { ...turn, expiresAt: step.at + turn.ttlMs, renewals: turn.renewals + 1 } };
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
