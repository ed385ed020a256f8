import type { Watcher } from "./watcher.js";

/** Who watches: the whole store, or one session. */
export class Watchers {
  readonly #ofStore = new Set<Watcher>();
  readonly #ofSession = new Map<string, Set<Watcher>>();

  get isEmpty(): boolean {
    return this.#ofStore.size + this.#ofSession.size === 0;
  }

  /** Of the whole store. */
  get ofStore(): readonly Watcher[] {
    return [...this.#ofStore];
  }

  /** The sessions that are watched by themselves. */
  get sessions(): readonly string[] {
    return [...this.#ofSession.keys()];
  }

  ofSession(id: string): readonly Watcher[] {
    return [...(this.#ofSession.get(id) ?? [])];
  }

  add(watcher: Watcher): void {
    const { session } = watcher.target;
    if (session === undefined) {
      this.#ofStore.add(watcher);
      return;
    }
    const watchers = this.#ofSession.get(session) ?? new Set();
    this.#ofSession.set(session, watchers.add(watcher));
  }

  remove(watcher: Watcher): void {
    const { session } = watcher.target;
    if (session === undefined) {
      this.#ofStore.delete(watcher);
      return;
    }
    const watchers = this.#ofSession.get(session);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#ofSession.delete(session);
  }
}
