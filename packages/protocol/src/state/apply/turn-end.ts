import type { TurnState } from "../../backend/session-record.js";
import type { EndTurnOperation } from "../../operations/turn-operation.js";
import { finishesDrafts } from "../draft-after-end.js";
import { finishPartials, interruptPartials } from "../history.js";
import { isLeaseOver } from "../lease.js";
import { FINISHED_TURN_RETENTION } from "../memory/retention.js";
import { type OperationContext, refusal } from "../operation-context.js";
import type { LiveState } from "../session-state.js";

/**
 * Ends the current turn. No draft outlives its turn: partial messages are finished if the turn completes and asks for
 * it, and become interrupted otherwise.
 */
export function turnEnded(
  state: LiveState,
  turn: TurnState,
  end: Pick<EndTurnOperation, "outcome" | "error" | "drafts">,
  context: OperationContext,
): LiveState {
  const { turn: _, ...idle } = state;
  const settlePartials = finishesDrafts(end) ? finishPartials : interruptPartials;
  const ended = { ...idle, history: settlePartials(state.history) };
  if (end.outcome === "released") return ended;
  const error = end.error === undefined ? {} : { error: end.error };
  const lastTurn = { turnId: turn.turnId, outcome: end.outcome, endedAt: context.at, ...error };
  if (end.outcome !== "completed") return { ...ended, lastTurn };
  // An imported document may already contain the id of the running turn. A memory contains each id once.
  if (state.finishedTurns.get(turn.turnId) !== undefined) return { ...ended, lastTurn };
  const memory = { id: turn.turnId, revision: context.revision, at: context.at };
  return { ...ended, lastTurn, finishedTurns: state.finishedTurns.add(memory, FINISHED_TURN_RETENTION) };
}

/**
 * Makes way for a writer that removes messages and does not hold the turn. A running turn refuses unless forced. An
 * expired turn is ended, so that its late holder cannot answer in a conversation that was replaced.
 */
export function yieldTurn(state: LiveState, force: boolean, context: OperationContext): LiveState {
  const { turn } = state;
  if (turn === undefined || turn.token === context.fence) return state;
  if (!force && !isLeaseOver(turn, context)) throw turnBusy(context, turn);
  return turnEnded(state, turn, { outcome: "interrupted" }, context);
}

export function turnBusy(
  context: OperationContext,
  turn: Pick<TurnState, "turnId" | "owner" | "expiresAt">,
): Error {
  const { turnId, owner, expiresAt } = turn;
  const holder = owner === undefined ? "" : ` of ${owner}`;
  return refusal(
    context,
    "TURN_BUSY",
    `Turn "${turnId}"${holder} is in the way. Wait for it (waitMs), or interrupt it.`,
    {
      turnId,
      expiresAt,
      ...(owner === undefined ? {} : { owner }),
    },
  );
}
