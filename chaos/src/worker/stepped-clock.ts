import { type Clock, systemClock } from "@sessions/protocol";

/** The system clock with a wall time that can be stepped. The monotonic time is not affected. */
export class SteppedClock implements Clock {
  #aheadMs = 0;

  step(ms: number): void {
    this.#aheadMs += ms;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  after(ms: number, callback: () => void, background?: boolean): () => void {
    return systemClock.after(ms, callback, background);
  }
}
