import type { Lifecycle } from "./lifecycle.js";

/** A signal that aborts when a store closes or with another signal, until it is unlinked from them. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Lets go of the others: a store lives longer than all that listen to it. */
  unlink(): void;
}

/** Links a new signal to a store's life, and to another signal. */
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
