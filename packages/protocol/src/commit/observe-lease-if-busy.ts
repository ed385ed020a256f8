import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";

/**
 * The same promise. Where a turn was in the way, the session is read first, so that this store sees the turn's lease: if
 * it stays unchanged for its whole time to live, the same call succeeds then.
 */
export async function observeLeaseIfBusy<Result>(
  { backend }: StoreContext,
  sessionId: string,
  sending: Promise<Result>,
): Promise<Result> {
  try {
    return await sending;
  } catch (error) {
    // TURN_BUSY is the outcome, whatever becomes of this read: without it a takeover comes one lease later.
    if (SessionError.is(error, "TURN_BUSY"))
      await Promise.allSettled([backend.read(sessionId, { messages: "none", background: true })]);
    throw error;
  }
}
