import { type MutationOptions, systemClock } from "@sessions/protocol";
import { type RetryPolicy, retry } from "@sessions/turn-runner";

const POLICY: RetryPolicy = {
  clock: systemClock,
  newId: () => globalThis.crypto.randomUUID(),
  deadlineMs: 15_000,
};

/**
 * Retries a call of the store for 15 s: the SDK would give the run up, and its caller would start it anew. A mutation must pass the
 * options on: they identify its commit.
 */
export function retryCall<Result>(call: (options: MutationOptions) => Promise<Result>): Promise<Result> {
  return retry(POLICY, call);
}
