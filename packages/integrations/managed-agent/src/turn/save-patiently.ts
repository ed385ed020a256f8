import type { Clock, MutationOptions } from "@sessions/protocol";
import { retried } from "./retried.js";

/** How long to go on trying, and until when at all. */
export interface Patience {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly deadlineMs: number;
  /** Whether there is nothing to save to any more. */
  readonly isOver: () => boolean;
  /** Ends a pause between two sendings, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a commit until its outcome is known: always under the same id, so that it counts once, whichever of the
 * sendings arrived. Gives up with the store's own error.
 */
export function savePatiently<Result>(
  patience: Patience,
  send: (options: MutationOptions) => Promise<Result>,
): Promise<Result> {
  const options = { commitId: patience.newId(), firstSentAt: patience.clock.now() };
  return retried(patience, () => send(options));
}
