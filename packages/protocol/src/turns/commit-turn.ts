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
 * A commit of the turn machinery, with a generated id. Callers do not get that id, so an unknown outcome is asked for
 * here: a turn that had begun without its holder knowing would keep everybody waiting for its whole lease.
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
  // What was sent cannot be taken back, only learned of: a signal counts for the first sending.
  let sending = send(context, request, options.signal);
  const backoff = new Backoff(clock, RESENDS);
  for (let isResend = false; ; isResend = true) {
    try {
      return await sending;
    } catch (error) {
      // The failure of a resend says nothing about the first sending.
      if (isResend && !isFinal(error)) throw outcomeUnknown(request, error);
      if (!SessionError.is(error, "OUTCOME_UNKNOWN") || !(await backoff.pause())) throw error;
    }
    sending = send(context, resent(request, clock, sentAt));
  }
}

/** Whether an error of a resend is the answer to the first sending as well. */
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
