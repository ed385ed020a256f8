import { SessionError } from "../errors/session-error.js";
import { Backoff } from "../platform/backoff.js";
import type { Clock } from "../platform/clock.js";

const ONE_RETRY = { firstPauseMs: 20, maxPauseMs: 20, maxRetries: 1 };

/** A commit that was applied. */
interface AppliedCommit {
  readonly sessionId: string;
  /** The id that makes it safe to send the same call again: its commit id, or the id of its turn. */
  readonly commitId: string;
}

/**
 * Runs the rest of a call whose commit was applied, such as reading its result. A failure becomes OUTCOME_UNKNOWN: with
 * any other code the caller would conclude that nothing was changed.
 */
export async function afterCommit<Result>(
  clock: Clock,
  { sessionId, commitId }: AppliedCommit,
  rest: () => Promise<Result>,
): Promise<Result> {
  const backoff = new Backoff(clock, ONE_RETRY);
  for (;;) {
    try {
      return await rest();
    } catch (cause) {
      if (await backoff.pause()) continue;
      if (SessionError.is(cause, "OUTCOME_UNKNOWN", "DATA_LOST")) throw cause;
      const message = `"${commitId}" was committed, but what follows it failed; see the cause. The same call with this id is safe and tells.`;
      throw SessionError.of("OUTCOME_UNKNOWN", message, { commitId, sessionId, cause });
    }
  }
}
