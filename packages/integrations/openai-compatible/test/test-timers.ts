import type { Clock } from "@sessions/protocol";

/** A pending timer. */
interface Timer {
  readonly ms: number;
  readonly fire: () => void;
}

/** A clock at time 0 whose timers fire when the test says so. */
export class TestTimers implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #history: number[] = [];
  #waiting: { readonly wanted: (ms: number) => boolean; readonly resolve: (timer: Timer) => void }[] = [];

  now(): number {
    return 0;
  }

  monotonic(): number {
    return 0;
  }

  after(ms: number, callback: () => void): () => void {
    const timer: Timer = {
      ms,
      fire: () => {
        this.#timers.delete(timer);
        callback();
      },
    };
    this.#timers.add(timer);
    this.#history.push(ms);
    for (const waiting of this.#waiting.filter(({ wanted }) => wanted(ms))) waiting.resolve(timer);
    this.#waiting = this.#waiting.filter(({ wanted }) => !wanted(ms));
    return () => this.#timers.delete(timer);
  }

  /** Resolves to a pending timer of such a duration, or to the next one that is set. */
  timer(wanted: (ms: number) => boolean): Promise<Timer> {
    const set = [...this.#timers].find(({ ms }) => wanted(ms));
    if (set !== undefined) return Promise.resolve(set);
    return new Promise((resolve) => this.#waiting.push({ wanted, resolve }));
  }

  /** Waits until `count` timers of such a duration have been set, pending or not. */
  async wasSet(count: number, wanted: (ms: number) => boolean): Promise<void> {
    while (this.#history.filter(wanted).length < count) {
      await new Promise((resolve) => this.#waiting.push({ wanted, resolve }));
    }
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }
}
