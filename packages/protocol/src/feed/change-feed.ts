import type { Change, WatchTarget } from "../backend/change.js";

/** Something that listens to changes. */
type Listener = (change: Change) => void;

/**
 * The changes of one process, for backends that know of them: coalesced for each watcher, so that a slow one gets the
 * last state of every session and costs no more memory than there are sessions.
 */
export class ChangeFeed {
  readonly #listeners = new Set<Listener>();

  publish(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  /** Changes from now on, after those that `missed` finds; ends when `signal` aborts. */
  async *watch(
    target: WatchTarget,
    signal: AbortSignal,
    missed: () => Iterable<Change>,
  ): AsyncGenerator<Change> {
    const pending = new Map<string, Change>();
    const delivered = new Map<string, number>();
    let wake: () => void = () => undefined;
    const listener: Listener = (change) => {
      if (target.session !== undefined && target.session !== change.sessionId) return;
      pending.delete(change.sessionId); // to the end: delivered in the order of the last change
      pending.set(change.sessionId, change);
      wake();
    };
    const abort = (): void => wake();
    // Listens before it looks back, so that nothing falls in between.
    this.#listeners.add(listener);
    signal.addEventListener("abort", abort, { once: true });
    try {
      for (const change of missed()) listener(change);
      while (!signal.aborted) {
        const next = firstOf(pending);
        if (next !== undefined) {
          // What is missed and what is published may be the same change.
          if (delivered.get(next.sessionId) === next.revision) continue;
          delivered.set(next.sessionId, next.revision);
          yield next;
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener("abort", abort);
    }
  }
}

function firstOf(pending: Map<string, Change>): Change | undefined {
  for (const [sessionId, change] of pending) {
    pending.delete(sessionId);
    return change;
  }
  return undefined;
}
