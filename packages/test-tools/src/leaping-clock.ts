import { type Clock, systemClock } from "@sessions/protocol";

/** A clock on which every pause ends in the next turn of the event loop, and has taken its full time. */
export class LeapingClock implements Clock {
  #leaptMs = 0;

  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return this.#leaptMs;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setImmediate(() => {
      this.#leaptMs += ms;
      callback();
    });
    return () => clearImmediate(timer);
  }
}
