import type { Clock } from "@sessions/protocol";

/** An answer that somebody waits for. */
interface Awaited {
  /** Until when, on the monotonic clock. */
  readonly until: number;
  /** How many answers had come when it was asked for. */
  readonly heard: number;
  readonly giveUp: () => void;
}

/**
 * Answers that are waited for, each until its deadline. One timer for all of them: one for each would be set and cleared with every
 * command.
 */
export class AwaitedAnswers {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  readonly #awaited = new Set<Awaited>();
  #heard = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => undefined;

  /** `onSilence` is called if an answer does not come in time, and no other has come since it was asked for. */
  constructor(clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
  }

  get areAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /**
   * Calls one of `resolve` and `reject`, once: as the answer settles, or `reject` with what `overdue` makes when it is later than
   * `until`, on the monotonic clock.
   */
  wait<Answer>(
    answer: Promise<Answer>,
    until: number,
    overdue: () => Error,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ): void {
    const awaited = { until, heard: this.#heard, giveUp: () => reject(overdue()) };
    this.#awaited.add(awaited);
    if (until < this.#wakeAt) this.#wake(until);
    answer.then(
      (value) => {
        this.#heard++;
        if (this.#awaited.delete(awaited)) resolve(value);
      },
      (error: unknown) => {
        this.#heard++;
        if (this.#awaited.delete(awaited)) reject(error);
      },
    );
  }

  #wake(at: number): void {
    this.#cancel();
    this.#wakeAt = at;
    this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => this.#rouse(), true);
  }

  /** Timers come before what the network has brought: a process that stood still hears its answers first, and gives up then. */
  #rouse(): void {
    setImmediate(() => this.#look());
  }

  #look(): void {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    let isSilent = false;
    for (const awaited of this.#awaited) {
      if (awaited.until > now) {
        next = Math.min(next, awaited.until);
        continue;
      }
      this.#awaited.delete(awaited);
      isSilent ||= awaited.heard === this.#heard;
      awaited.giveUp();
    }
    if (next < Number.POSITIVE_INFINITY) this.#wake(next);
    if (isSilent) this.#onSilence();
  }
}
