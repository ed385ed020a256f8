import type { StoreContext } from "../context/store-context.js";

/** Tells those who wait that a session has changed. A change while nobody waits is told to the next one who does. */
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

  /** Resolves at the next change. A feed that failed never resolves it: those who wait look again by the clock. */
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
