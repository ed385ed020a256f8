import type { Clock } from "@sessions/protocol";

/** So long ago, in milliseconds, the server may have said it. */
const COUNTS_MS = 1000;

/** So many are kept in mind. */
const MOST = 1000;

interface Absence {
  /** The server's time, and the monotonic clock's when it was heard. */
  readonly now: number;
  readonly heardAt: number;
  readonly epoch: number;
}

/**
 * Sessions of which the server has just said that it has nothing, not even a memory. Who reads a conversation that is new begins it next, and
 * need not ask again: a commit that is decided on this is written only if it is still so. It is no answer by itself.
 */
export class Absences {
  readonly #clock: Clock;
  readonly #epoch: () => number;
  readonly #heard = new Map<string, Absence>();

  /** `epoch`: which connection there is. */
  constructor(clock: Clock, epoch: () => number) {
    this.#clock = clock;
    this.#epoch = epoch;
  }

  note(id: string, now: number): void {
    this.#heard.delete(id);
    this.#heard.set(id, { now, heardAt: this.#clock.monotonic(), epoch: this.#epoch() });
    if (this.#heard.size <= MOST) return;
    const [oldest] = this.#heard.keys();
    if (oldest !== undefined) this.#heard.delete(oldest);
  }

  /** What time the server has now, at least, if it had nothing of the session a moment ago. Told once. */
  take(id: string): number | undefined {
    const heard = this.#heard.get(id);
    if (heard === undefined) return undefined;
    this.#heard.delete(id);
    const passed = this.#clock.monotonic() - heard.heardAt;
    return heard.epoch === this.#epoch() && passed < COUNTS_MS ? heard.now + Math.floor(passed) : undefined;
  }
}
