import { type Clock, SessionError } from "@sessions/protocol";
import { unlessAborted } from "./unless-aborted.js";

/** How long to go on trying. */
export interface Retrying {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Whether there is no point in another attempt. */
  readonly isOver?: (() => boolean) | undefined;
  /** Ends a pause between two attempts, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;

/** Whether a store's error may pass by itself, so that the same call may succeed a little later. */
export function mayPass(error: unknown): boolean {
  return (
    SessionError.is(error, "STORE_BUSY", "STORE_UNAVAILABLE", "OUTCOME_UNKNOWN", "STORE_FULL") &&
    error.retryable
  );
}

/**
 * Makes a call again while the store's error may pass. Gives up with the store's own error. Only for calls that may be
 * made twice: reads, and writes whose identity (a commit id, a turn id) is the same each time.
 */
export async function retried<Result>(
  { clock, deadlineMs, isOver, signal }: Retrying,
  call: () => Promise<Result>,
): Promise<Result> {
  const until = clock.monotonic() + deadlineMs;
  let unknown: unknown;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (SessionError.is(error, "OUTCOME_UNKNOWN")) unknown = error;
      // Once an attempt is in doubt, a later failure of the store says nothing about it.
      if (!mayPass(error)) throw SessionError.is(error, "STORE_CLOSED") ? (unknown ?? error) : error;
      if (isOver?.() === true || clock.monotonic() + pauseMs > until) throw unknown ?? error;
    }
    const pause = new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    await (signal === undefined ? pause : unlessAborted(signal, () => pause));
  }
}
