import { systemClock } from "@sessions/protocol";
import type { RetryPolicy } from "@sessions/turn-runner";

/** Retries the calls of a session for 15 s: an error would end the run, and its caller would have to start it again. */
export const SESSION_RETRY_POLICY: RetryPolicy = {
  clock: systemClock,
  newId: () => globalThis.crypto.randomUUID(),
  deadlineMs: 15_000,
};
