import { type Clock, systemClock } from "@sessions/protocol";

/** A clock on which a pause is over at once, and has taken its time all the same. */
export class LeapingClock implements Clock {
  #time = 0;

  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return this.#time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setImmediate(() => {
      this.#time += ms;
      callback();
    });
    return () => clearImmediate(timer);
  }
}
