import {
  type MutationOptions,
  type MutationResult,
  SessionError,
  type SessionErrorOf,
  systemClock,
} from "@sessions/protocol";

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;
const PATIENCE_MS = 15_000;
const STORE_FAILURES = ["STORE_UNAVAILABLE", "STORE_BUSY", "STORE_FULL", "STORE_CLOSED"] as const;

/**
 * Sends a change until it is known what became of it. The SDK would give a run up and its caller would start it anew, with
 * everything twice; here what may have arrived is sent again under its own name, and counts once.
 */
export async function untilKnown(
  send: (options: MutationOptions) => Promise<MutationResult>,
): Promise<MutationResult> {
  const firstSentAt = systemClock.now();
  const until = systemClock.monotonic() + PATIENCE_MS;
  let options: MutationOptions = {};
  let unknown: SessionErrorOf<"OUTCOME_UNKNOWN"> | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await send(options);
    } catch (error) {
      if (SessionError.is(error, "OUTCOME_UNKNOWN")) unknown = error;
      // Once a sending is in doubt, a failure of the store says nothing about it.
      else if (unknown === undefined || !SessionError.is(error, ...STORE_FAILURES)) throw error;
      if (systemClock.monotonic() + pauseMs > until) throw unknown;
      options = { commitId: unknown.commitId, firstSentAt };
    }
    await new Promise<void>((resolve) => systemClock.after(pauseMs, resolve));
  }
}
