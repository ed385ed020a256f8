import type { Change, WatchTarget } from "../backend/change.js";

/** Takes the changes of one watcher. */
type Listener = (change: Change) => void;

/**
 * The changes of one process, for backends that know of them: coalesced for each watcher, so that a slow one gets the
 * last state of every session and costs no more memory than there are sessions.
 */
export class ChangeFeed {
  /** By session, so that a change costs as much as it has watchers, not as much as there are. */
  readonly #ofSession = new Map<string, Set<Listener>>();
  readonly #ofAll = new Set<Listener>();

  publish(change: Change): void {
    for (const listener of [...this.#ofAll, ...(this.#ofSession.get(change.sessionId) ?? [])])
      listener(change);
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
      pending.delete(change.sessionId); // to the end: delivered in the order of the last change
      pending.set(change.sessionId, change);
      wake();
    };
    const abort = (): void => wake();
    // Listens before it looks back, so that nothing falls in between.
    this.#add(target.session, listener);
    signal.addEventListener("abort", abort, { once: true });
    try {
      for (const change of missed())
        if (target.session === undefined || target.session === change.sessionId) listener(change);
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
      this.#remove(target.session, listener);
      signal.removeEventListener("abort", abort);
    }
  }

  #add(session: string | undefined, listener: Listener): void {
    if (session === undefined) this.#ofAll.add(listener);
    else this.#ofSession.set(session, (this.#ofSession.get(session) ?? new Set()).add(listener));
  }

  #remove(session: string | undefined, listener: Listener): void {
    if (session === undefined) {
      this.#ofAll.delete(listener);
      return;
    }
    const listeners = this.#ofSession.get(session);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#ofSession.delete(session);
  }
}

function firstOf(pending: Map<string, Change>): Change | undefined {
  for (const [sessionId, change] of pending) {
    pending.delete(sessionId);
    return change;
  }
  return undefined;
}
