import { SessionError } from "../errors/session-error.js";

/** Whether a store is open, and the work that must settle before it closes. */
export class Lifecycle {
  readonly #closing = new AbortController();
  /** Not listeners of the signal: every turn that is held or waited for has one, and Node warns at eleven. */
  readonly #onClosing = new Set<(reason: unknown) => void>();
  #isClosing = false;
  #active = 0;
  #idle: () => void = () => undefined;

  /**
   * Calls back with STORE_CLOSED when the store begins to close, so that waiting calls end. Returns a function that
   * removes the listener.
   */
  onClosing(listener: (reason: unknown) => void): () => void {
    if (this.#isClosing) listener(this.#closing.signal.reason);
    this.#onClosing.add(listener);
    return () => void this.#onClosing.delete(listener);
  }

  assertOpen(): void {
    if (this.#isClosing) this.#closing.signal.throwIfAborted();
  }

  /** Runs `work`. The store does not finish closing before it settles. */
  async track<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#active++;
    try {
      return await work();
    } finally {
      if (--this.#active === 0) this.#idle();
    }
  }

  /** Refuses new work, ends waiting calls, and resolves when all accepted work has settled. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#closing.abort(SessionError.of("STORE_CLOSED", "The store is closed. Open it again to use it.", {}));
    for (const listener of this.#onClosing) listener(this.#closing.signal.reason);
    if (this.#active > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }
}
