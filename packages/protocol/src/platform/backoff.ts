import type { Clock } from "./clock.js";
import { pause } from "./pause.js";

/** When something is tried again, and when no more. */
export interface BackoffOptions {
  /** Before the first retry. Every later pause is twice as long as the one before it, up to `maxPauseMs`. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** @default unlimited */
  readonly maxRetries?: number;
  /** From the construction on. The last pause is cut short, so that it ends at the deadline. @default none */
  readonly deadlineMs?: number;
  /** A random number between 0 and 1: this share of each pause is waited, so that competing writers spread out. @default all of it */
  readonly random?: () => number;
  /** Ends a pause: it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The pauses between the attempts of a retry loop. */
export class Backoff {
  readonly #clock: Clock;
  readonly #options: BackoffOptions;
  readonly #startedAt: number;
  #retries = 0;

  constructor(clock: Clock, options: BackoffOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#startedAt = clock.monotonic();
  }

  get elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }

  /** Waits before the next attempt. Resolves with `false`, without waiting, if there must be no further attempt. */
  async pause(): Promise<boolean> {
    const { firstPauseMs, maxPauseMs, maxRetries = Infinity, deadlineMs = Infinity } = this.#options;
    const { random = () => 1, signal } = this.#options;
    const leftMs = deadlineMs - this.elapsedMs;
    if (this.#retries >= maxRetries || leftMs <= 0) return false;
    const pauseMs = random() * Math.min(maxPauseMs, firstPauseMs * 2 ** this.#retries);
    this.#retries++;
    await pause(this.#clock, Math.min(pauseMs, leftMs), signal);
    return true;
  }
}
