import type { CommitRequest } from "../backend/commit-request.js";
import { SessionError } from "../errors/session-error.js";
import type { Operation } from "../operations/operation.js";
import { accepted, type Settled } from "../store/call.js";
import { pause } from "../store/pause.js";
import type { StoreContext } from "../store/store-context.js";
import { field } from "../validate/argument.js";

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
  options: { readonly fence?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<Settled> {
  const { clock } = context;
  const request = { sessionId, id: context.ids.next(), ops, ...field("fence", options.fence) };
  const sentAt = clock.monotonic();
  // What was sent cannot be taken back, only learned of: a signal counts for the first sending.
  let sending = send(context, { ...request, at: clock.now() }, options.signal);
  for (let resent = 0; ; resent++) {
    try {
      return await sending;
    } catch (error) {
      if (resent === RESENDS || !SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
    }
    await pause(clock, FIRST_PAUSE_MS * 2 ** resent);
    sending = send(context, { ...request, at: clock.now(), ageMs: clock.monotonic() - sentAt });
  }
}

async function send(
  { lifecycle, queue }: StoreContext,
  request: CommitRequest,
  signal?: AbortSignal,
): Promise<Settled> {
  return lifecycle.track(() => queue.enqueue(request.sessionId, request, accepted, signal));
}
