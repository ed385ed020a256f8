import type { Clock } from "@sessions/protocol";

/** A timer that somebody has set. */
interface Timer {
  readonly ms: number;
  readonly fire: () => void;
}

/** A clock on which time is over when the test says so. */
export class ManualClock implements Clock {
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

  /** The timer of such a time that is set now, or the next one that will be. */
  timer(wanted: (ms: number) => boolean): Promise<Timer> {
    const set = [...this.#timers].find(({ ms }) => wanted(ms));
    if (set !== undefined) return Promise.resolve(set);
    return new Promise((resolve) => this.#waiting.push({ wanted, resolve }));
  }

  /** Waits until so many timers of such a time have been set, whatever became of them. */
  async wasSet(count: number, wanted: (ms: number) => boolean): Promise<void> {
    while (this.#history.filter(wanted).length < count) {
      await new Promise((resolve) => this.#waiting.push({ wanted, resolve }));
    }
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.size;
  }
}
