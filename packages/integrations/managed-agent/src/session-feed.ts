import type { Clock, SessionStore } from "@sessions/protocol";
import { mayPass } from "./turn/retried.js";

/** How long to wait before a feed is asked for again that has failed. */
const AGAIN_MS = 200;

/**
 * Waits for changes of one session. A change while nobody waits is told to the next one who does. A feed that fails with an
 * error that may pass is asked for again; whoever waits looks meanwhile, and a store that stays away fails there.
 */
export class SessionFeed {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #since: number;
  #hasChanged = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  /** Changes after the revision `since`. */
  constructor(store: SessionStore, sessionId: string, since: number, clock: Clock) {
    this.#clock = clock;
    this.#since = since;
    this.#watch(store, sessionId).catch((error: unknown) => {
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

  async #watch(store: SessionStore, session: string): Promise<void> {
    for (;;) {
      try {
        return await this.#listen(store, session);
      } catch (error) {
        if (!mayPass(error) || this.#stop.signal.aborted) throw error;
      }
      this.#changed();
      await new Promise<void>((resolve) => this.#clock.after(AGAIN_MS, resolve, true));
    }
  }

  async #listen(store: SessionStore, session: string): Promise<void> {
    const target = { session, since: this.#since, signal: this.#stop.signal };
    for await (const { revision } of store.watch(target)) {
      this.#since = revision;
      this.#changed();
    }
  }

  #changed(): void {
    this.#hasChanged = true;
    this.#wake();
  }
}
