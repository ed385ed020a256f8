import { type Clock, systemClock } from "@sessions/protocol";

/** A clock whose timers fire in the next iteration of the event loop. Its monotonic time advances by their full duration. */
export class ImmediateClock implements Clock {
  #elapsedMs = 0;

  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setImmediate(() => {
      this.#elapsedMs += ms;
      callback();
    });
    return () => clearImmediate(timer);
  }
}
