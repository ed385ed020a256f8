import { afterOtherEvents } from "./after-other-events.js";

/** How long the stores of a process work before its timers, sockets and finished I/O are served. */
const SHARE_MS = 10;

/** How a share measures time and yields. */
export interface LoopSharePlatform {
  readonly shareMs: number;
  readonly now: () => number;
  readonly afterOtherEvents: (callback: () => void) => void;
}

const PLATFORM: LoopSharePlatform = { shareMs: SHARE_MS, now: () => performance.now(), afterOtherEvents };

/**
 * The time that all stores of a process together may use in one turn of the event loop. Engines work synchronously, and
 * promises alone never leave the microtask queue: without a limit, hundreds of concurrent conversations starve every timer
 * and socket of the process. Work that has to wait resumes first in, first out.
 */
export class LoopShare {
  readonly #platform: LoopSharePlatform;
  readonly #waiting: (() => void)[] = [];
  #startedAt: number;
  #isServing = false;

  constructor(platform: LoopSharePlatform = PLATFORM) {
    this.#platform = platform;
    this.#startedAt = platform.now();
  }

  /** The time by which the share is measured, in milliseconds. */
  now(): number {
    return this.#platform.now();
  }

  /** Whether running work has to yield before it continues. */
  get isSpent(): boolean {
    return this.#platform.now() - this.#startedAt >= this.#platform.shareMs;
  }

  /** To be awaited before a piece of work begins. `undefined` if it may begin at once. */
  begin(): Promise<void> | undefined {
    return this.#waiting.length > 0 || this.isSpent ? this.afterOthers() : undefined;
  }

  /** To be awaited between two pieces of work. `undefined` if it may continue at once. */
  continue(): Promise<void> | undefined {
    return this.isSpent ? this.afterOthers() : undefined;
  }

  /** Resolves after other events have run, and after all work that is already waiting. */
  afterOthers(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isServing) this.#serveLater();
    });
  }

  #serveLater(): void {
    this.#isServing = true;
    this.#platform.afterOtherEvents(() => void this.#serve());
  }

  async #serve(): Promise<void> {
    this.#startedAt = this.#platform.now();
    // Work that arrives during this loop waits for the next turn. Otherwise other events would never run.
    for (let left = this.#waiting.length; left > 0; left--) {
      this.#waiting.shift()?.();
      await undefined; // the resumed work runs now
      if (this.isSpent) break;
    }
    this.#isServing = false;
    if (this.#waiting.length > 0) this.#serveLater();
  }
}

/** The share of this process. */
export const loopShare: LoopShare = new LoopShare();
