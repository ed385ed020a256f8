import type { Change, WatchTarget } from "../backend/change.js";

/** Receives the changes for one watcher. */
type Listener = (change: Change) => void;

/**
 * Passes the changes of one process on to its watchers. Changes are coalesced for each watcher: a slow one gets the last
 * change of every session, and needs memory for one change per session.
 */
export class ChangeFeed {
  /** By session, so that publishing a change costs as much as that session has watchers. */
  readonly #ofSession = new Map<string, Set<Listener>>();
  readonly #ofAll = new Set<Listener>();

  publish(change: Change): void {
    for (const listener of [...this.#ofAll, ...(this.#ofSession.get(change.sessionId) ?? [])])
      listener(change);
  }

  /** The changes that `missed` finds, then all from now on. Ends when `signal` aborts. */
  async *watch(
    target: WatchTarget,
    signal: AbortSignal,
    missed: () => Iterable<Change>,
  ): AsyncGenerator<Change> {
    const pending = new Map<string, Change>();
    const delivered = new Map<string, number>();
    let wake: () => void = () => undefined;
    const listener: Listener = (change) => {
      pending.delete(change.sessionId); // moves it to the end: changes are delivered in the order of each session's last change
      pending.set(change.sessionId, change);
      wake();
    };
    const abort = (): void => wake();
    // Listens before it asks for missed changes, so that no change falls in between.
    this.#add(target.session, listener);
    signal.addEventListener("abort", abort, { once: true });
    try {
      for (const change of missed())
        if (target.session === undefined || target.session === change.sessionId) listener(change);
      while (!signal.aborted) {
        const next = firstOf(pending);
        if (next !== undefined) {
          // A missed change and a published one may be the same.
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
