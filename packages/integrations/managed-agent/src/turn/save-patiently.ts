import { type Clock, type MutationOptions, SessionError } from "@sessions/protocol";

/** How long to go on trying, and until when at all. */
export interface Patience {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly deadlineMs: number;
  /** Whether there is nothing to save to any more. */
  readonly isOver: () => boolean;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;

/**
 * Sends a commit until its outcome is known: always under the same id, so that it counts once, whichever of the
 * sendings arrived. Gives up with the store's own error.
 */
export async function savePatiently<Result>(
  { clock, newId, deadlineMs, isOver }: Patience,
  send: (options: MutationOptions) => Promise<Result>,
): Promise<Result> {
  const options = { commitId: newId(), firstSentAt: clock.now() };
  const until = clock.monotonic() + deadlineMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await send(options);
    } catch (error) {
      const isHopeless = isOver() || clock.monotonic() + pauseMs > until;
      if (!SessionError.is(error) || !error.retryable || isHopeless) throw error;
    }
    await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
  }
}
