import type { MutationOptions, MutationResult } from "../api/mutation.js";
import { requireId } from "../arguments/require-id.js";
import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { StoreContext } from "../context/store-context.js";
import { digestJson } from "../hash/digest-json.js";
import { type CallIds, callIds } from "../ids/call-ids.js";
import { frozen } from "../json/frozen.js";
import type { Json } from "../json/json.js";
import type { Message, MessageDraft } from "../message/message.js";
import type { Operation } from "../operations/operation.js";
import { draftAfterEnd } from "../state/draft-after-end.js";
import { concernsLeases } from "../state/lease.js";
import type { Mutable } from "../state/mutable.js";
import { copyWithCreatedAt } from "../state/with-created-at.js";
import type { CheckedOperation } from "../validate/checked-operation.js";
import { requireMutationOptions } from "../validate/mutation-options.js";
import { observeLeaseIfBusy } from "./observe-lease-if-busy.js";

const NO_OPTIONS: MutationOptions = {};

/** One call of a mutating method: its session, its options and its ids. */
export interface Call {
  readonly sessionId: string;
  readonly options: MutationOptions;
  readonly ids: CallIds;
  /** A digest of the arguments. Only if the caller chose the commit id. */
  readonly digest?: string;
}

/**
 * Checks the store, the id and the options of a call. `given` returns what makes two calls the same request. It is used
 * only if the caller chose the commit id.
 */
export function openCall(
  context: StoreContext,
  sessionId: string,
  method: string,
  given: () => Json,
  unchecked: MutationOptions = NO_OPTIONS,
): Call {
  context.lifecycle.assertOpen();
  requireId(sessionId, "id", context.limits);
  const options = unchecked === NO_OPTIONS ? unchecked : requireMutationOptions(unchecked, context.limits);
  options.signal?.throwIfAborted();
  const { commitId, fingerprint } = options;
  if (commitId === undefined) return { sessionId, options, ids: callIds(sessionId, context.ids.next()) };
  const digest = digestJson(fingerprint === undefined ? [method, given()] : ["fingerprint", fingerprint]);
  return { sessionId, options, ids: callIds(sessionId, commitId), digest };
}

/** What a plan adds to a request. */
export interface RequestExtras {
  /** The revision that the plan was made on. 0 if there was no session. */
  readonly ifRevision?: number;
  readonly receipt?: Json;
}

/** The request of a call. */
export function requestOf(
  context: StoreContext,
  call: Call,
  ops: readonly Operation[],
  extras?: RequestExtras,
): CommitRequest {
  const { ifRevision, ifAbsent, ifIdle, fence, firstSentAt } = call.options;
  const at = context.clock.now();
  // By assignment, not by spreads: every commit runs this, and most have none of these fields.
  const request: Mutable<CommitRequest> = { sessionId: call.sessionId, id: call.ids.commitId, at, ops };
  if (call.digest !== undefined) request.digest = call.digest;
  if (firstSentAt !== undefined) request.ageMs = Math.max(0, at - Number(firstSentAt));
  if (ifRevision !== undefined) request.ifRevision = ifRevision;
  if (ifAbsent !== undefined) request.ifAbsent = ifAbsent;
  if (ifIdle !== undefined) request.ifIdle = ifIdle;
  if (fence !== undefined) request.fence = fence;
  return extras === undefined ? request : { ...request, ...extras };
}

/** Commits checked operations. Everything before the queue is synchronous, so commits are queued in call order. */
export function commitChecked(
  context: StoreContext,
  call: Call,
  checked: readonly CheckedOperation[],
): Promise<MutationResult> {
  const nextId = call.ids.restart();
  const ops = checked.map((operation) => operation.withIds(nextId));
  return commitOps(context, call, ops);
}

/** Commits operations that have their ids. */
export function commitOps(
  context: StoreContext,
  call: Call,
  ops: readonly Operation[],
): Promise<MutationResult> {
  const toResult = (outcome: Settled): MutationResult => resultOf(outcome, draftsOf(ops));
  return send(context, call, requestOf(context, call, ops), toResult);
}

/** Queues a request. A rejection is thrown. `toResult` turns any other outcome into the caller's result. */
export function send<Result>(
  context: StoreContext,
  { sessionId, options }: Call,
  request: CommitRequest,
  toResult: (outcome: Settled) => Result,
): Promise<Result> {
  const sending = context.queue.enqueue(request, {
    toResult: (outcome) => toResult(throwIfRejected(outcome)),
    signal: options.signal,
  });
  return concernsLeases(request) ? observeLeaseIfBusy(context, sessionId, sending) : sending;
}

/** An outcome other than a rejection. */
export type Settled = Exclude<CommitOutcome, { readonly status: "rejected" }>;

export function throwIfRejected(outcome: CommitOutcome): Settled {
  if (outcome.status === "rejected") throw outcome.error;
  return outcome;
}

/** The caller's result. It lists the messages that were added, without those that the session already had. */
export function resultOf(outcome: Settled, drafts: readonly MessageDraft[]): MutationResult {
  return {
    revision: outcome.revision,
    duplicate: outcome.status !== "applied",
    messages: outcome.status === "unchanged" ? [] : added(outcome, drafts),
  };
}

function added({ skipped, at }: Settled, drafts: readonly MessageDraft[]): Message[] {
  const [only] = drafts;
  if (drafts.length === 1 && only !== undefined && skipped === undefined) return [ownMessage(only, at)];
  const known = new Set(skipped);
  // By id: the same message twice in one call counts once.
  const messages = new Map<string, Message>();
  for (const draft of drafts) if (!known.has(draft.id)) messages.set(draft.id, ownMessage(draft, at));
  return [...messages.values()];
}

/**
 * A copy for the caller. The values that it shares with the session's state are frozen, so the caller cannot change the
 * state.
 */
function ownMessage(draft: MessageDraft, at: number): Message {
  for (const key of Object.keys(draft)) frozen(draft[key]);
  return copyWithCreatedAt(draft, at);
}

/** The messages in these operations, as they are after all operations are applied. */
export function draftsOf(ops: readonly Operation[]): readonly MessageDraft[] {
  const [only] = ops;
  if (ops.length === 1 && only?.op === "append") return only.messages; // nearly every commit
  const brought = ops.flatMap((op): readonly MessageDraft[] => {
    if (op.op === "append" || op.op === "splice") return op.messages;
    return op.op === "create" ? op.document.messages : [];
  });
  const end = ops.find((op) => op.op === "turn" && op.action === "end");
  return end === undefined ? brought : brought.map((draft) => draftAfterEnd(draft, end));
}
