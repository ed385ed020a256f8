import { field } from "../arguments/optional-field.js";
import type { CommitRequest } from "../backend/commit-request.js";
import { type Settled, throwIfRejected } from "../commit/call.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import type { Operation } from "../operations/operation.js";
import { pause } from "../platform/pause.js";
import { isEvaluated, outcomeUnknown, resent } from "../queue/resent.js";

/** How often a commit is sent again whose outcome is not known, and how long before the first time. */
const RESENDS = 3;
const FIRST_PAUSE_MS = 20;

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
  for (let resends = 0; ; resends++) {
    try {
      return await sending;
    } catch (error) {
      const isTold = isEvaluated(error) || SessionError.is(error, "OUTCOME_UNKNOWN", "DATA_LOST");
      if (resends > 0 && !isTold) throw outcomeUnknown(request, error); // nothing about the first sending
      if (resends === RESENDS || !SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
    }
    await pause(clock, FIRST_PAUSE_MS * 2 ** resends);
    sending = send(context, resent(request, clock, sentAt));
  }
}

async function send(
  { lifecycle, queue }: StoreContext,
  request: CommitRequest,
  signal?: AbortSignal,
): Promise<Settled> {
  return lifecycle.track(() => queue.enqueue(request, { toResult: throwIfRejected, signal }));
}
