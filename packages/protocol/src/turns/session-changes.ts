import type { StoreContext } from "../context/store-context.js";

/** Lets a waiter await the next change of a session. A change while nothing waits resolves the next call. */
export class SessionChanges {
  #changed = false;
  #failure: unknown;
  #wake: (() => void) | undefined;

  constructor(context: StoreContext, sessionId: string, signal: AbortSignal) {
    this.#watch(context, sessionId, signal).catch((error: unknown) => {
      this.#failure = error;
      this.#wake?.();
    });
  }

  /** Resolves at the next change. Never resolves after the feed has failed: the waiter also polls. */
  next(): Promise<void> {
    if (this.#changed) {
      this.#changed = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#wake = () => {
        if (this.#failure === undefined) resolve();
      };
    });
  }

  async #watch(context: StoreContext, sessionId: string, signal: AbortSignal): Promise<void> {
    for await (const _ of context.backend.watch({ session: sessionId }, signal)) {
      const wake = this.#wake;
      this.#wake = undefined;
      if (wake === undefined) this.#changed = true;
      else wake();
    }
  }
}
