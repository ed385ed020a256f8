import { field } from "../arguments/optional-field.js";
import type { CommitRequest } from "../backend/commit-request.js";
import { type Settled, throwIfRejected } from "../commit/call.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import type { Operation } from "../operations/operation.js";
import { Backoff } from "../platform/backoff.js";
import { isEvaluated, outcomeUnknown, resent } from "../queue/resent.js";

const RESENDS = { firstPauseMs: 20, maxPauseMs: 80, maxRetries: 3 };

/**
 * Commits operations on a turn under a generated id. The caller does not get that id, so an unknown outcome is resolved
 * here: a turn that began without its holder knowing would block everybody for a whole lease.
 */
export async function commitTurn(
  context: StoreContext,
  sessionId: string,
  ops: readonly Operation[],
  options: {
    readonly fence?: string;
    readonly signal?: AbortSignal | undefined;
    /** See `CommitRequest`. */
    readonly background?: boolean;
  } = {},
): Promise<Settled> {
  const { clock } = context;
  const request = {
    sessionId,
    id: context.ids.next(),
    at: clock.now(),
    ops,
    ...field("fence", options.fence),
    ...field("background", options.background),
  };
  const sentAt = clock.monotonic();
  // A request that was sent cannot be cancelled, so the signal applies only to the first attempt.
  let sending = send(context, request, options.signal);
  const backoff = new Backoff(clock, RESENDS);
  for (let isResend = false; ; isResend = true) {
    try {
      return await sending;
    } catch (error) {
      // A failed retry says nothing about the first attempt.
      if (isResend && !isFinal(error)) throw outcomeUnknown(request, error);
      if (!SessionError.is(error, "OUTCOME_UNKNOWN") || !(await backoff.pause())) throw error;
    }
    sending = send(context, resent(request, clock, sentAt));
  }
}

/** Whether the error of a retry also answers the first attempt. */
function isFinal(error: unknown): boolean {
  return isEvaluated(error) || SessionError.is(error, "OUTCOME_UNKNOWN", "DATA_LOST");
}

async function send(
  { lifecycle, queue }: StoreContext,
  request: CommitRequest,
  signal?: AbortSignal,
): Promise<Settled> {
  return lifecycle.track(() => queue.enqueue(request, { toResult: throwIfRejected, signal }));
}
