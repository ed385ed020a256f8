import { type Clock, systemClock } from "@sessions/protocol";

/** A clock that shows what a test sets; timers run as ever. */
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
