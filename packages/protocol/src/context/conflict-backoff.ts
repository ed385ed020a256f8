import { Backoff } from "../platform/backoff.js";
import type { StoreContext } from "./store-context.js";

/** The pauses of a call that begins again because others changed the session meanwhile, until `conflictDeadlineMs`. */
export function conflictBackoff(context: StoreContext, signal: AbortSignal | undefined): Backoff {
  const { clock, conflictDeadlineMs, random } = context;
  return new Backoff(clock, {
    firstPauseMs: 1,
    maxPauseMs: 50,
    deadlineMs: conflictDeadlineMs,
    random,
    signal,
  });
}
