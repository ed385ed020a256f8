import { retried } from "@sessions/managed-agent/building-blocks";
import { type MutationOptions, type MutationResult, systemClock } from "@sessions/protocol";

const RETRYING = { clock: systemClock, deadlineMs: 15_000 };

/**
 * Sends a change until it is known what became of it, always under the same commit id, so that it counts once. The SDK would
 * give a run up and its caller would start it anew, with everything twice.
 */
export function untilKnown(
  send: (options: MutationOptions) => Promise<MutationResult>,
): Promise<MutationResult> {
  const options = { commitId: globalThis.crypto.randomUUID(), firstSentAt: systemClock.now() };
  return retried(RETRYING, () => send(options));
}

/** For calls that may be made twice: reads, and appends of messages that have their ids. */
export function retriedPatiently<Result>(call: () => Promise<Result>): Promise<Result> {
  return retried(RETRYING, call);
}
