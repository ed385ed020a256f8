/**
 * Calls a function and waits for its result until `signal` aborts. On an abort it rejects with the signal's reason at once, and
 * whatever the function does later is ignored.
 */
export function raceAbort<Value>(
  signal: AbortSignal,
  call: () => Value | PromiseLike<Value>,
): Promise<Awaited<Value>> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    // An async function turns what the call throws synchronously into a rejection.
    const called = async (): Promise<Awaited<Value>> => await call();
    called()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
