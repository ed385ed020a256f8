import { type Clock, systemClock } from "@sessions/protocol";

/** A clock whose time moves only by `advance`. Timers run as usual. */
export class ManualClock implements Clock {
  readonly monotonic: Clock["monotonic"] = systemClock.monotonic;
  readonly after: Clock["after"] = systemClock.after;
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
