import { type Clock, systemClock } from "@sessions/protocol";

/** A clock whose wall time the test sets. Its timers are real. */
export class SetClock implements Clock {
  #now: number;

  constructor(now: string) {
    this.#now = Date.parse(now);
  }

  set(now: string): void {
    this.#now = Date.parse(now);
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  after(ms: number, callback: () => void, background?: boolean): () => void {
    return systemClock.after(ms, callback, background);
  }
}
