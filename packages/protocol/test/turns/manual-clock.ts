import type { Clock } from "../../src/platform/clock.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test advances it. Its wall time differs from its monotonic time. */
export class ManualClock implements Clock {
  static readonly #EPOCH = 1_750_000_000_000;
  #time = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return ManualClock.#EPOCH + this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#time + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Advances the time. Timers fire in order, and the work that each of them starts is done before the next one. */
  async pass(ms: number): Promise<void> {
    const until = this.#time + ms;
    await settled();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#time = next.at;
      this.#timers.delete(next);
      next.callback();
      await settled();
    }
    this.#time = until;
  }

  #next(until: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
  }
}

/** A store on a map does all its work in microtasks, which are done when the next task begins. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
