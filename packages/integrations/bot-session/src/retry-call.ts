import type { MutationOptions } from "@sessions/protocol";
import { type LeaseSettings, leaseRetryPolicy, retry } from "@sessions/turn-runner";

/** Retries a call of the store for half of a turn's lease. A mutation must pass the options on: they identify its commit. */
export function retryCall<Result>(
  settings: LeaseSettings,
  call: (options: MutationOptions) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  return retry(leaseRetryPolicy(settings, signal), call);
}
