import type { Clock } from "@sessions/protocol";
import type { RetryPolicy } from "./retry.js";

/** What a policy is made of: the settings of every integration have it. */
export interface LeaseSettings {
  readonly clock: Clock;
  readonly newId: () => string;
  /** The lease of a turn. */
  readonly ttlMs: number;
}

/** Retries for half of a turn's lease: if they are in vain there is still time to end the turn. */
export function leaseRetryPolicy({ clock, newId, ttlMs }: LeaseSettings, signal?: AbortSignal): RetryPolicy {
  return { clock, newId, deadlineMs: ttlMs / 2, signal };
}
