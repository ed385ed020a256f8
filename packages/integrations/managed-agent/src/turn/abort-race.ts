/**
 * Lets one wait for something and be called off by a signal. It listens to the signal once, not once for each of
 * thousands of waits.
 */
export class AbortRace {
  readonly #signal: AbortSignal;
  #callOff: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#aborted, { once: true });
  }

  /** What a promise resolves to, or the signal's reason, whichever comes first. One at a time. */
  wait<Value>(promise: Value | PromiseLike<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#callOff = () => reject(this.#signal.reason);
      // Whatever it is: a user's iterator may give no promise at all.
      Promise.resolve(promise).then(resolve, reject);
      if (this.#signal.aborted) this.#callOff();
    });
  }

  /** Stops listening. */
  leave(): void {
    this.#signal.removeEventListener("abort", this.#aborted);
  }

  readonly #aborted = (): void => this.#callOff?.();
}
