/**
 * What a function of the user comes to, or the signal's reason, whichever is first. One that does not listen to the
 * signal is left behind: what it says later, or throws, reaches nobody.
 */
export function raced<Value>(
  signal: AbortSignal,
  call: () => Value | PromiseLike<Value>,
): Promise<Awaited<Value>> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    const called = async (): Promise<Awaited<Value>> => await call();
    const leave = (): void => signal.removeEventListener("abort", stop);
    called().then(resolve, reject).finally(leave).catch(reject);
  });
}
