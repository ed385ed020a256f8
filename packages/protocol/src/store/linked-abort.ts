/** A signal that aborts with any of others, until it is unlinked from them. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Lets go of the others: a store's own signal lives longer than all that listen to it. */
  unlink(): void;
}

/** Links a new signal to others. */
export function linkAbort(...signals: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const links = signals.flatMap((signal) => {
    if (signal === undefined) return [];
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    return [() => signal.removeEventListener("abort", abort)];
  });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink() {
      for (const unlink of links) unlink();
    },
  };
}
