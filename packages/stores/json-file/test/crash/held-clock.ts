import { type Clock, systemClock } from "@sessions/protocol";

/** A clock whose time goes on only when it is told to. Who waits still waits as long as elsewhere. */
export class HeldClock implements Clock {
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
