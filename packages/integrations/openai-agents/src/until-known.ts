import { retried } from "@sessions/managed-agent/building-blocks";
import { type MutationOptions, type MutationResult, SessionError, systemClock } from "@sessions/protocol";

const RETRYING = { clock: systemClock, deadlineMs: 15_000 };

/**
 * Sends a change until it is known what became of it. The SDK would give a run up and its caller would start it anew, with
 * everything twice; here what may have arrived is sent again under its own commit id, and counts once.
 */
export function untilKnown(
  send: (options: MutationOptions) => Promise<MutationResult>,
): Promise<MutationResult> {
  const firstSentAt = systemClock.now();
  let options: MutationOptions = {};
  return retried(RETRYING, async () => {
    try {
      return await send(options);
    } catch (error) {
      if (SessionError.is(error, "OUTCOME_UNKNOWN")) options = { commitId: error.commitId, firstSentAt };
      throw error;
    }
  });
}

/** Reads, and again if the store is busy or cannot be reached. */
export function readPatiently<Result>(read: () => Promise<Result>): Promise<Result> {
  return retried(RETRYING, read);
}
