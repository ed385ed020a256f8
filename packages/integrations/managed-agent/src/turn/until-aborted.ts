/** Waits for `work` until `signal` aborts, and then throws its reason. Whatever becomes of the work later is dropped. */
export function untilAborted<Result>(
  work: Result | PromiseLike<Result>,
  signal: AbortSignal,
): Promise<Awaited<Result>> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const leave = (): void => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    Promise.resolve(work).then(resolve, reject).finally(leave);
  });
}
