import type { Clock } from "@sessions/protocol";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that advances only when the test calls `pass`. */
export class ManualClock implements Clock {
  #now = Date.parse("2026-05-01T10:00:00Z");
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** The remaining time of each pending timer. */
  get waits(): readonly number[] {
    return Array.from(this.#timers, ({ at }) => at - this.#now);
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}
