import type { Change, WatchTarget } from "@sessions/protocol";

/** Somebody who watches. Changes are coalesced: a slow one gets the last state of every session. */
export class Watcher {
  readonly target: WatchTarget;
  readonly signal: AbortSignal;
  readonly #pending = new Map<string, Change>();
  readonly #known = new Map<string, number>();
  /** All changes before this time are known, by the server's clock. */
  knownUntil = 0;
  /** Whether it has been told what there was when it began: before that, all of it would look like news. */
  hasBegun = false;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(target: WatchTarget, signal: AbortSignal) {
    this.target = target;
    this.signal = signal;
  }

  /** What it need not be told of. */
  knows(sessionId: string, revision: number): void {
    this.#known.set(sessionId, revision);
  }

  /** Whatever comes of the session next is news. */
  forget(sessionId: string): void {
    this.#known.delete(sessionId);
  }

  offer(change: Change): void {
    const { sessionId, revision } = change;
    const { session } = this.target;
    if (session !== undefined && session !== sessionId) return;
    if ((this.#known.get(sessionId) ?? -1) >= revision) return;
    this.#known.set(sessionId, revision);
    this.#pending.delete(sessionId); // to the end: delivered in the order of the last change
    this.#pending.set(sessionId, change);
    this.#wake();
  }

  /** Ends it. */
  fail(error: Error): void {
    this.#failure = error;
    this.#wake();
  }

  async *changes(): AsyncGenerator<Change> {
    const { signal } = this;
    const abort = (): void => this.#wake();
    signal.addEventListener("abort", abort, { once: true });
    try {
      while (!signal.aborted) {
        if (this.#failure !== undefined) throw this.#failure;
        const next = this.#take();
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #take(): Change | undefined {
    for (const [sessionId, change] of this.#pending) {
      this.#pending.delete(sessionId);
      return change;
    }
    return undefined;
  }
}
