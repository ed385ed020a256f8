import type { BeginTurnOptions, BeginTurnResult } from "../api/turn.js";
import { requireId } from "../arguments/require-id.js";
import { observeLeaseIfBusy } from "../commit/observe-lease-if-busy.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import { callIds } from "../ids/call-ids.js";
import { draftWithId } from "../validate/checked-message.js";
import { attemptTurn, type Candidate } from "./attempt-turn.js";
import { requireTurnOptions, type TurnPlan } from "./turn-options.js";
import { waitForTurn } from "./wait-for-turn.js";

/** Begins a turn, after the turns and tickets before it. */
export async function beginTurn(
  context: StoreContext,
  sessionId: string,
  options: BeginTurnOptions = {},
): Promise<BeginTurnResult> {
  context.lifecycle.assertOpen();
  requireId(sessionId, "id", context.limits);
  const plan = requireTurnOptions(options, context.limits);
  plan.signal?.throwIfAborted();
  const candidate = candidateOf(context, sessionId, plan);
  try {
    const attempt = attemptTurn(context, candidate, {});
    // A waiting caller takes its ticket at once, so that calls keep their order.
    return await (plan.waitMs === 0 ? observeLeaseIfBusy(context, sessionId, attempt) : attempt);
  } catch (error) {
    if (!SessionError.is(error, "TURN_BUSY") || plan.waitMs === 0) throw error;
    return context.lifecycle.track(() => waitForTurn(context, candidate, error));
  }
}

function candidateOf(context: StoreContext, sessionId: string, plan: TurnPlan): Candidate {
  const turnId = plan.turnId ?? context.ids.next();
  // Derived from the turn id: if a crashed turn is run again, its user message is the same message.
  const nextId = callIds(sessionId, plan.turnId === undefined ? turnId : `turn ${plan.turnId}`).restart();
  return { sessionId, turnId, plan, messages: plan.drafts.map((draft) => draftWithId(draft, nextId)) };
}
