/**
 * What a function of the user comes to, unless `signal` aborts first: then the signal's reason is thrown, and what the
 * function does later is ignored.
 */
export function unlessAborted<Value>(
  signal: AbortSignal,
  call: () => Value | PromiseLike<Value>,
): Promise<Awaited<Value>> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const called = async (): Promise<Awaited<Value>> => await call();
    called()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
