/** The longest interval of a timer, in milliseconds. */
const MAX_INTERVAL_MS = 2 ** 31 - 1;

/**
 * Keeps the process alive while calls are under way. Connections do not: a process that forgot to close its store can end once
 * nothing is under way.
 */
export class KeepAlive {
  readonly #timer = setInterval(() => undefined, MAX_INTERVAL_MS);

  constructor() {
    this.#timer.unref();
  }

  hold(): void {
    this.#timer.ref();
  }

  release(): void {
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
