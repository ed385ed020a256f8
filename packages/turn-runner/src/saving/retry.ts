import { type Clock, type MutationOptions, SessionError } from "@sessions/protocol";
import { pause } from "../user-functions/pause.js";
import { isTransient } from "./is-transient.js";

/** How long a call is retried. */
export interface RetryPolicy {
  readonly clock: Clock;
  readonly newId: () => string;
  /** The last attempt is made this long after the first. */
  readonly deadlineMs: number;
  /** Ends the retries: one last attempt is made at once. If that fails too, the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 1000;

/**
 * Repeats a call of the store while its error is transient. Gives up with the store's own error. A read may ignore the options
 * that the call gets. A mutation must pass them on: they identify the commit, so that it counts once, whichever attempt arrived.
 */
export async function retry<Result>(
  { clock, newId, deadlineMs, signal }: RetryPolicy,
  call: (options: MutationOptions) => Promise<Result>,
): Promise<Result> {
  const options: MutationOptions = { commitId: newId(), firstSentAt: clock.now() };
  const expiresAt = clock.monotonic() + deadlineMs;
  let unknown: unknown;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    // A turn may be lost because its own end was stored and only the reply was not: the last attempt finds out.
    const isLast = signal?.aborted === true;
    try {
      return await call(options);
    } catch (error) {
      // Once the outcome of an attempt is unknown, a later failure says nothing about that attempt.
      if (SessionError.is(error, "OUTCOME_UNKNOWN")) unknown = error;
      if (!isTransient(error)) throw SessionError.is(error, "STORE_CLOSED") ? (unknown ?? error) : error;
      if (isLast) throw unknown ?? signal.reason;
      const leftMs = Math.ceil(expiresAt - clock.monotonic());
      if (leftMs <= 0) throw unknown ?? error;
      await pause(clock, Math.min(pauseMs, leftMs), signal);
    }
  }
}
