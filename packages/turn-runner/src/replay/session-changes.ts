import type { Clock, SessionStore } from "@sessions/protocol";
import { isTransient } from "../saving/is-transient.js";
import { forwardAbort } from "../user-functions/forward-abort.js";
import { pause } from "../user-functions/pause.js";

/** How long to wait before a feed that failed is opened again. */
const REOPEN_MS = 200;

/** A wall clock that runs fast sees a lease as over too early: then the session is read no more often than this. */
const MIN_WAIT_MS = 100;

/** Which session to watch. */
export interface SessionChangesOptions {
  readonly store: SessionStore;
  readonly sessionId: string;
  /** Changes after this revision. */
  readonly since: number;
  readonly clock: Clock;
  /** Closes it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for changes of a session in which a turn runs. A change that comes while nobody waits ends the next wait at once. A feed
 * that fails with a transient error is opened again; the waiter wakes up and reads meanwhile, so a store that stays away fails there.
 */
export class SessionChanges {
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  readonly #unlink: () => void;
  #since: number;
  #hasChanged = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor({ store, sessionId, since, clock, signal }: SessionChangesOptions) {
    this.#clock = clock;
    this.#since = since;
    this.#closed.signal.addEventListener("abort", () => this.#wake());
    this.#unlink = forwardAbort(signal, this.#closed);
    this.#watch(store, sessionId).catch((error: unknown) => {
      if (!this.#closed.signal.aborted) this.#failure = { error };
      this.#wake();
    });
  }

  /**
   * Resolves at the next change, when it is closed, or when the turn's lease should be over: a renewal is no change, so only a read
   * tells whether the holder is alive. Throws if the feed has failed for good.
   */
  async wait(leaseExpiresAt: number): Promise<void> {
    const ms = Math.max(MIN_WAIT_MS, leaseExpiresAt - this.#clock.now() + 1);
    if (!this.#hasChanged && this.#failure === undefined && !this.#closed.signal.aborted)
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
    this.#unlink();
    this.#closed.abort();
  }

  async #watch(store: SessionStore, session: string): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        return await this.#listen(store, session);
      } catch (error) {
        if (!isTransient(error)) throw error;
      }
      this.#changed();
      await pause(this.#clock, REOPEN_MS, signal);
    }
  }

  async #listen(store: SessionStore, session: string): Promise<void> {
    const target = { session, since: this.#since, signal: this.#closed.signal };
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
