import { raceAbort } from "@sessions/turn-runner";

/**
 * Lets updates of one conversation reach the store in the order in which they arrived in this process. An update passes as soon as the
 * one before it has entered the store's own queue, so nobody waits here for an answer. A conversation is forgotten when none of its
 * updates is on the way.
 */
export class ArrivalOrder {
  readonly #last = new Map<string, Promise<void>>();

  /** How many conversations have updates on the way. */
  get size(): number {
    return this.#last.size;
  }

  /** Calls `enter` after the updates before it have called `entered`, or have ended. Rejects if `signal` aborts before that. */
  async pass<Result>(
    key: string,
    signal: AbortSignal,
    enter: (entered: () => void) => Promise<Result>,
  ): Promise<Result> {
    const before = this.#last.get(key);
    let open: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#last.set(key, entered);
    const leave = (): void => {
      open();
      if (this.#last.get(key) === entered) this.#last.delete(key);
    };
    try {
      await raceAbort(signal, () => before);
      return await enter(leave);
    } finally {
      leave();
    }
  }
}
