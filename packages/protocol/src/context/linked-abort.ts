import type { Lifecycle } from "./lifecycle.js";

/** A signal that aborts when the store closes or when another signal aborts, until it is unlinked. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Removes its listeners: the store outlives the calls that listen to it. */
  unlink(): void;
}

/** Links a new signal to the closing of a store and to another signal. */
export function linkAbort(lifecycle: Lifecycle, signal: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const unlink = lifecycle.onClosing((reason) => controller.abort(reason));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink() {
      unlink();
      signal?.removeEventListener("abort", abort);
    },
  };
}
