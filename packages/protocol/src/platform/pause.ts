import type { Clock } from "./clock.js";

/** Waits `ms`, or until `wake` resolves. Throws the reason of `signal` when that aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal, wake?: Promise<void>): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      cancel();
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const abort = (): void => finish(() => reject(signal?.reason));
    const cancel = clock.after(ms, () => finish(resolve));
    signal?.addEventListener("abort", abort, { once: true });
    wake?.then(() => finish(resolve), reject);
  });
}
