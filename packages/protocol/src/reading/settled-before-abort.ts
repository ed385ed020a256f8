/** What a promise resolves to, or `undefined` as soon as the signal aborts. A later rejection is nobody's any more. */
export function settledBeforeAbort<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
