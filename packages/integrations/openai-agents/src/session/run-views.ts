import type { Message } from "@sessions/protocol";

/** What a run has seen of a session. */
interface RunView {
  /** The last message at the run's first read; `undefined` if there was none. */
  readonly lastId: string | undefined;
  /** The messages that the run itself has added. */
  readonly ownIds: Set<string>;
}

/**
 * What the runs of this process have seen of a session. The model of a run knows the messages of the run's first read and those that the
 * run added: the SDK may read again before it writes, but its model does not see what others added in between.
 */
export class RunViews {
  readonly #views = new WeakMap<object, RunView>();

  /** `run` is the context that the SDK passes to every call of a run. */
  noteRead(run: object | undefined, messages: readonly Message[]): void {
    if (run === undefined || this.#views.has(run)) return;
    this.#views.set(run, { lastId: messages.at(-1)?.id, ownIds: new Set() });
  }

  noteAdded(run: object | undefined, messages: readonly { readonly id: string }[]): void {
    const view = run === undefined ? undefined : this.#views.get(run);
    for (const { id } of messages) view?.ownIds.add(id);
  }

  /** The messages of a session that a run has not seen. A run that never read is taken to have seen all. */
  unseen(run: object | undefined, messages: readonly Message[]): readonly Message[] {
    const view = run === undefined ? undefined : this.#views.get(run);
    if (view === undefined) return [];
    const later = messages.slice(messages.findIndex(({ id }) => id === view.lastId) + 1);
    return later.filter(({ id }) => !view.ownIds.has(id));
  }
}
