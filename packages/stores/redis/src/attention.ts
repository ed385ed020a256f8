import { isCrowded } from "./is-crowded.js";

/** How long to stay awake for an answer, in milliseconds. */
const AWAKE_MS = 1;

/** Who was kept from looking for so long shares the processor with others, perhaps with the server itself. */
const CROWDED_MS = 1;

/** After so many calls it is looked whether the machine is crowded, and if so, that counts like so many in vain. */
const CALLS_BETWEEN = 32;
const CROWD_COUNTS = 4;

/** What one time in vain counts, against one for each that was not; and how much is too much. */
const IN_VAIN = 32;
const TOO_MUCH = 8 * IN_VAIN;

/** So many calls are slept through then; twice as many each time, up to the most, if it has not paid for so many in between. */
const CALLS_ASLEEP = 100;
const MOST_ASLEEP = 64 * CALLS_ASLEEP;
const PAYS_AFTER = 500;

/** What it lives by. */
export interface Surroundings {
  readonly now: () => number;
  /** Calls back after the network was looked at. */
  readonly soon: (callback: () => void) => void;
  /** Whether others want the processor just now. */
  readonly isCrowded: () => boolean;
}

const REAL: Surroundings = {
  now: () => performance.now(),
  soon: (callback) => void setImmediate(callback),
  isCrowded: () => isCrowded(),
};

/**
 * Stays awake for an answer that is about to come. Who falls asleep has to be woken up, and on a virtual machine that takes as long as a
 * server nearby takes to answer. Where more than a few answers are not worth it, because they take longer or because others want
 * the processor, it sleeps, and tries again later. Its own answers do not tell the latter: the one of many that stays awake has them sooner.
 */
export class Attention {
  readonly #isAwaited: () => boolean;
  readonly #around: Surroundings;
  #isAwake = false;
  #until = 0;
  #lookedAt = 0;
  #inVain = 0;
  /** How many calls are still slept through, and how many were before. */
  #asleep = 0;
  #slept = 0;
  /** Calls that were judged since then. */
  #judged = 0;

  /** `isAwaited`: whether there is still an answer to come. */
  constructor(isAwaited: () => boolean, around: Surroundings = REAL) {
    this.#isAwaited = isAwaited;
    this.#around = around;
  }

  /** Something was asked, while nothing else was waited for. */
  stay(): void {
    if (this.#asleep > 0) {
      this.#asleep--;
      return;
    }
    const now = this.#around.now();
    if (this.#isAwake) this.#judge(now - this.#lookedAt > CROWDED_MS);
    else {
      this.#isAwake = true;
      this.#around.soon(this.#look);
    }
    this.#lookedAt = now;
    this.#until = now + AWAKE_MS;
  }

  readonly #look = (): void => {
    const now = this.#around.now();
    const isHere = !this.#isAwaited();
    if (!isHere && now < this.#until) {
      this.#lookedAt = now;
      this.#around.soon(this.#look);
      return;
    }
    this.#isAwake = false;
    this.#judge(!isHere || now - this.#lookedAt > CROWDED_MS);
  };

  #judge(isInVain: boolean): void {
    this.#judged++;
    const isCrowded = this.#judged % CALLS_BETWEEN === 0 && this.#around.isCrowded();
    const inVain = (isInVain ? 1 : 0) + (isCrowded ? CROWD_COUNTS : 0);
    this.#inVain = inVain > 0 ? this.#inVain + inVain * IN_VAIN : Math.max(0, this.#inVain - 1);
    if (this.#inVain < TOO_MUCH) return;
    this.#inVain /= 2;
    const hasPaid = this.#judged > PAYS_AFTER;
    this.#slept = hasPaid ? CALLS_ASLEEP : Math.min(Math.max(2 * this.#slept, CALLS_ASLEEP), MOST_ASLEEP);
    this.#asleep = this.#slept;
    this.#judged = 0;
  }
}
