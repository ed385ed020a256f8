import type { Clock } from "@sessions/protocol";
import { ignoreRejection } from "../turn/ignore-rejection.js";
import { unlessAborted } from "../turn/unless-aborted.js";

/** By which clock, and until which abort somebody waits. */
export interface Limits {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What `within` resolves to when the time is over. */
export const TIME_IS_UP: unique symbol = Symbol("time is up");

/** Waits for `ms`, or until `signal` aborts. */
export async function pause(ms: number, limits: Limits): Promise<void> {
  await within(new Promise<never>(() => undefined), ms, limits);
}

/** Waits for `work` for `ms` at most, and until `signal` aborts. */
export async function within<Result>(
  work: Promise<Result>,
  ms: number,
  { clock, signal }: Limits,
): Promise<Result | typeof TIME_IS_UP> {
  ignoreRejection(work); // after an abort nobody waits for it
  let cancel: (() => void) | undefined;
  const timer = new Promise<typeof TIME_IS_UP>((resolve) => {
    cancel = clock.after(ms, () => resolve(TIME_IS_UP));
  });
  try {
    return await unlessAborted(signal, () => Promise.race([work, timer]));
  } finally {
    cancel?.();
  }
}
