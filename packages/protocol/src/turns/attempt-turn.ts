import type { BeginTurnResult } from "../api/turn.js";
import { field } from "../arguments/optional-field.js";
import { afterCommit } from "../commit/after-commit.js";
import type { StoreContext } from "../context/store-context.js";
import { sessionNotFound } from "../errors/session-not-found.js";
import type { MessageDraft } from "../message/message.js";
import type { Operation } from "../operations/operation.js";
import { sessionView } from "../reading/session-view.js";
import type { Session } from "../session/session.js";
import { turnToken } from "../state/turn-token.js";
import { commitTurn } from "./commit-turn.js";
import { HeldTurn } from "./held-turn.js";
import type { TurnPlan } from "./turn-options.js";

/** A turn that is to begin. */
export interface Candidate {
  readonly sessionId: string;
  readonly turnId: string;
  readonly plan: TurnPlan;
  readonly messages: readonly MessageDraft[];
}

/** How an attempt is sent. */
export interface AttemptOptions {
  readonly ticket?: string;
  /** See `CommitRequest`. */
  readonly background?: boolean;
}

/** Tries to begin a turn once. TURN_BUSY if another turn or an earlier ticket is in the way. */
export async function attemptTurn(
  context: StoreContext,
  candidate: Candidate,
  { background, ...ticket }: AttemptOptions,
): Promise<BeginTurnResult> {
  const { sessionId, turnId, plan, messages } = candidate;
  const nonce = context.ids.next();
  const sentAt = context.clock.monotonic();
  const begin: Operation = {
    op: "turn",
    action: "begin",
    turnId,
    nonce,
    ttlMs: plan.ttlMs,
    ...field("owner", plan.owner),
    ...ticket,
  };
  const append: readonly Operation[] =
    messages.length === 0 ? [] : [{ op: "append", messages, onExisting: "fail" }];
  const outcome = await commitTurn(context, sessionId, [begin, ...append], {
    signal: plan.signal,
    ...field("background", background),
  });
  if (outcome.status === "unchanged")
    return { status: "duplicate", turnId, session: await sessionNow(context, sessionId, plan) };
  const token = turnToken(outcome.revision, nonce);
  const turn = new HeldTurn(context, {
    sessionId,
    turnId,
    token,
    ttlMs: plan.ttlMs,
    renew: plan.renew,
    sentAt,
    expiresAt: outcome.at + plan.ttlMs,
    revision: outcome.revision,
  });
  try {
    const session = await afterCommit(context.clock, { sessionId, commitId: turnId }, () =>
      sessionNow(context, sessionId, plan),
    );
    return { status: "begun", turn, session };
  } catch (error) {
    // The caller never gets this turn, so it cannot end it. If the release fails too, the lease expires.
    await Promise.allSettled([turn.release()]);
    throw error;
  }
}

async function sessionNow(context: StoreContext, sessionId: string, plan: TurnPlan): Promise<Session> {
  const record = await context.backend.read(sessionId, { messages: plan.select });
  if (record === undefined) throw sessionNotFound(sessionId);
  return sessionView(record, context.leases);
}
