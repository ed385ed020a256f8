import type { Message } from "@sessions/protocol";

interface Run {
  /** The last message when it first looked; `undefined` if there was none. */
  readonly last: string | undefined;
  /** What it has added itself. */
  readonly own: Set<string>;
}

/**
 * What the runs of this process know of a session: what was there when they first looked, and what they added. What others
 * have added since then their model has not seen, also if the SDK looks again before it writes.
 */
export class Runs {
  readonly #runs = new WeakMap<object, Run>();

  /** `run` is the context that the SDK hands to every call of a run. */
  looked(run: object | undefined, messages: readonly Message[]): void {
    if (run === undefined || this.#runs.has(run)) return;
    this.#runs.set(run, { last: messages.at(-1)?.id, own: new Set() });
  }

  added(run: object | undefined, ids: readonly string[]): void {
    const own = run === undefined ? undefined : this.#runs.get(run)?.own;
    for (const id of ids) own?.add(id);
  }

  /** Those of a session's messages that a run knows nothing of. One that never looked is taken to know all. */
  unseen(run: object | undefined, messages: readonly Message[]): readonly Message[] {
    const known = run === undefined ? undefined : this.#runs.get(run);
    if (known === undefined) return [];
    const later = messages.slice(messages.findIndex(({ id }) => id === known.last) + 1);
    return later.filter(({ id }) => !known.own.has(id));
  }
}
