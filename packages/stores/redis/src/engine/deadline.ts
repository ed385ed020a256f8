import type { Clock } from "@sessions/protocol";

/** Until when a call may take. */
export class Deadline {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #ms: number;
  /** On the monotonic clock. */
  readonly endsAt: number;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#ms = ms;
    this.endsAt = this.#startedAt + ms;
  }

  /** The same time once more: for the next part of something long that makes progress. */
  again(): Deadline {
    return new Deadline(this.#clock, this.#ms);
  }

  get passedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }

  get leftMs(): number {
    return this.endsAt - this.#clock.monotonic();
  }

  get isOver(): boolean {
    return this.leftMs <= 0;
  }
}
