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

/** What may pass by itself: nothing has changed, and the same call may succeed. */
const PASSING = ["STORE_BUSY", "STORE_UNAVAILABLE"] as const;
const STORE_FAILURES = [...PASSING, "STORE_FULL", "STORE_CLOSED"] as const;

/**
 * Sends a change until it is known what became of it. The SDK would give a run up and its caller would start it anew, with
 * everything twice; here what may have arrived is sent again under its own name, and counts once.
 */
export async function untilKnown(
  send: (options: MutationOptions) => Promise<MutationResult>,
): Promise<MutationResult> {
  const firstSentAt = systemClock.now();
  let unknown: SessionErrorOf<"OUTCOME_UNKNOWN"> | undefined;
  return untilAnswered(
    () => send(unknown === undefined ? {} : { commitId: unknown.commitId, firstSentAt }),
    (error) => {
      if (SessionError.is(error, "OUTCOME_UNKNOWN")) unknown = error;
      // Once a sending is in doubt, a failure of the store says nothing about it.
      else if (unknown === undefined || !SessionError.is(error, ...STORE_FAILURES)) return error;
      return unknown;
    },
  );
}

/** Reads, and again if the store is busy or cannot be reached. */
export function readPatiently<Result>(read: () => Promise<Result>): Promise<Result> {
  return untilAnswered(read, (error) => error);
}

/** `told` says what a failure means: what is passing is tried again, and thrown when patience is at its end. */
async function untilAnswered<Result>(
  call: () => Promise<Result>,
  told: (error: unknown) => unknown,
): Promise<Result> {
  const until = systemClock.monotonic() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (failure) {
      const error = told(failure);
      const isPassing = SessionError.is(error, "OUTCOME_UNKNOWN", ...PASSING);
      if (!isPassing || systemClock.monotonic() + pauseMs > until) throw error;
    }
    await new Promise<void>((resolve) => systemClock.after(pauseMs, resolve));
  }
}
