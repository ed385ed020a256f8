import { raceAbort } from "@sessions/turn-runner";

/**
 * Lets updates of one conversation come to the store in the order in which they arrived here. It is passed as soon as an
 * update has taken its place in the store's own line, so nobody waits here for an answer; and it forgets a conversation
 * as soon as nobody is on the way.
 */
export class Arrivals {
  readonly #last = new Map<string, Promise<void>>();

  /** How many conversations it remembers. */
  get size(): number {
    return this.#last.size;
  }

  /** Runs `enter` after those before it have called `entered`, or have ended. It waits until `signal` aborts. */
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
