import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";

/**
 * The same promise. After TURN_BUSY the session is read first, so that this store observes the lease of the turn. If
 * the lease stays unchanged for its whole time to live, the same call succeeds then.
 */
export async function observeLeaseIfBusy<Result>(
  { backend }: StoreContext,
  sessionId: string,
  sending: Promise<Result>,
): Promise<Result> {
  try {
    return await sending;
  } catch (error) {
    // TURN_BUSY is thrown even if this read fails. Without the read, a takeover is delayed by one lease.
    if (SessionError.is(error, "TURN_BUSY"))
      await Promise.allSettled([backend.read(sessionId, { messages: "none", background: true })]);
    throw error;
  }
}
