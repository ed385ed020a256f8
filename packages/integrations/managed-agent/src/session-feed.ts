import type { Clock, SessionStore } from "@sessions/protocol";

/** Waits for changes of one session. A change while nobody waits is told to the next one who does. */
export class SessionFeed {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #hasChanged = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  /** Changes after the revision `since`. */
  constructor(store: SessionStore, sessionId: string, since: number, clock: Clock) {
    this.#clock = clock;
    this.#watch(store, sessionId, since).catch((error: unknown) => {
      this.#failure = { error };
      this.#wake();
    });
  }

  /** Resolves at the next change, or after `ms`, or when it is closed. Throws if the feed has failed. */
  async wait(ms: number): Promise<void> {
    if (!this.#hasChanged && this.#failure === undefined && !this.#stop.signal.aborted)
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(ms, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    this.#hasChanged = false;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  close(): void {
    this.#stop.abort();
    this.#wake();
  }

  async #watch(store: SessionStore, session: string, since: number): Promise<void> {
    for await (const _ of store.watch({ session, since, signal: this.#stop.signal })) {
      this.#hasChanged = true;
      this.#wake();
    }
  }
}
