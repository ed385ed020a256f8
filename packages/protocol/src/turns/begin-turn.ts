import type { CommitRequest } from "../backend/commit-request.js";
import type { SessionRecord } from "../backend/session-record.js";
import { SessionError } from "../errors/session-error.js";
import type { MessageDraft } from "../message/message.js";
import type { Operation } from "../operations/operation.js";
import type { Stale } from "../operations/turn-operation.js";
import type { Session } from "../session/session.js";
import { turnToken } from "../state/apply/turn.js";
import { accepted, type Settled } from "../store/call.js";
import { derivedNames, newNames } from "../store/call-names.js";
import { sessionView } from "../store/session-view.js";
import type { StoreContext } from "../store/store-context.js";
import { field } from "../validate/argument.js";
import { requireId } from "../validate/identifier.js";
import { namedDraft } from "../validate/message-draft.js";
import { sessionNotFound } from "../methods/sessions.js";
import { HeldTurn } from "./held-turn.js";
import type { BeginTurnOptions, BeginTurnResult } from "./turn.js";
import { requireTurnOptions, type TurnPlan } from "./turn-options.js";
import { waitInLine } from "./wait-in-line.js";

/** A turn that wants to begin: who it is and what it brings. */
export interface Candidate {
  readonly sessionId: string;
  readonly turnId: string;
  readonly plan: TurnPlan;
  readonly messages: readonly MessageDraft[];
}

/** Begins a turn, after those that came before it. */
export async function beginTurn(context: StoreContext, sessionId: string, options: BeginTurnOptions = {}): Promise<BeginTurnResult> {
  context.lifecycle.assertOpen();
  requireId(sessionId, "id", context.limits);
  const plan = requireTurnOptions(options, context.limits);
  plan.signal?.throwIfAborted();
  const candidate = candidateOf(context, sessionId, plan);
  try {
    return await attempt(context, candidate, {});
  } catch (error) {
    if (!SessionError.is(error, "TURN_BUSY") || plan.waitMs === 0) throw error;
    return context.lifecycle.track(waitInLine(context, candidate, error));
  }
}

function candidateOf(context: StoreContext, sessionId: string, plan: TurnPlan): Candidate {
  const turnId = plan.turnId ?? context.ids.next();
  // Named after the turn: when a crashed turn is run again, its user message is the same message.
  const names = plan.turnId === undefined ? newNames(context.ids) : derivedNames(sessionId, `turn ${plan.turnId}`);
  const nextId = names.restart();
  return { sessionId, turnId, plan, messages: plan.drafts.map((draft) => namedDraft(draft, nextId)) };
}

/** What a waiter knows when its time has come. */
export interface Place {
  readonly ticket?: string;
  readonly stale?: readonly Stale[];
}

/** One attempt to begin: throws TURN_BUSY if somebody is in the way. */
export async function attempt(context: StoreContext, candidate: Candidate, place: Place): Promise<BeginTurnResult> {
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
    ...place,
  };
  const append: readonly Operation[] = messages.length === 0 ? [] : [{ op: "append", messages, onExisting: "fail" }];
  const outcome = await commitTurn(context, sessionId, [begin, ...append], { signal: plan.signal });
  if (outcome.status === "unchanged") return { status: "duplicate", turnId, session: await sessionNow(context, sessionId, plan) };
  const token = turnToken(outcome.revision, nonce);
  const turn = new HeldTurn(context, { sessionId, turnId, token, ttlMs: plan.ttlMs, renew: plan.renew, sentAt, expiresAt: outcome.at + plan.ttlMs });
  try {
    return { status: "begun", turn, session: await sessionNow(context, sessionId, plan) };
  } catch (error) {
    await turn.release(); // the caller will never see this turn, so nobody else would end it
    throw error;
  }
}

/** A commit of the turn machinery, with a generated id. */
export async function commitTurn(
  context: StoreContext,
  sessionId: string,
  ops: readonly Operation[],
  options: { readonly fence?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<Settled> {
  const request: CommitRequest = {
    sessionId,
    id: context.ids.next(),
    at: context.clock.now(),
    ops,
    ...field("fence", options.fence),
  };
  return accepted(await context.lifecycle.track(context.queue.enqueue(sessionId, request, options.signal)));
}

async function sessionNow(context: StoreContext, sessionId: string, plan: TurnPlan): Promise<Session> {
  const record: SessionRecord | undefined = await context.backend.read(sessionId, { messages: plan.select });
  if (record === undefined) throw sessionNotFound(sessionId);
  return sessionView(record, context.clock.now());
}
