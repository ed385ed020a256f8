import { hexWord } from "../encoding/hex-word.js";

/** Generates ids. */
export interface UuidSource {
  /** An id that sorts after every earlier id of this source. */
  next(): string;
}

/** The counter takes 26 bits between time and random part: 12 of `rand_a` and the first 14 of `rand_b`. */
const COUNTER_LIMIT = 2 ** 26;
const LAST_TIME = 2 ** 48 - 1;
const POOL_BYTES = 1024;

/**
 * Generates UUIDs of version 7 (RFC 9562), in lower case: 48 bits of time, a 26-bit counter, 48 random bits. They strictly
 * increase, even if the clock stops or goes back: then the counter continues, and when it is exhausted the time is raised
 * by 1 ms.
 *
 * @param now milliseconds since the epoch
 * @param random fills bytes with random values and returns them, as `crypto.getRandomValues` does
 */
export function createUuidV7(now: () => number, random: (bytes: Uint8Array) => Uint8Array): UuidSource {
  const words = new RandomWords(random);
  let time = 0;
  let timeText = "";
  let counter = COUNTER_LIMIT;

  return {
    next() {
      const tail = hexWord(words.next()) + hexWord(words.next()) + hexWord(words.next());
      const clock = Math.min(Math.floor(now()), LAST_TIME);
      counter++;
      if (clock > time || counter >= COUNTER_LIMIT) {
        counter = (words.next() * 2 ** 16 + words.next()) % COUNTER_LIMIT;
        time = clock > time ? clock : time + 1;
        timeText = textOf(time);
      }
      return `${timeText}-${hexWord(0x7000 | (counter >>> 14))}-${hexWord(0x8000 | (counter & 0x3fff))}-${tail}`;
    },
  };
}

/** Random 16-bit words. Random bytes are drawn many at a time, and each is used once. */
class RandomWords {
  private readonly random: (bytes: Uint8Array) => Uint8Array;
  // Filled on first use: some platforms offer no randomness while modules load.
  private pool: Uint8Array = new Uint8Array(0);
  private used = 0;

  constructor(random: (bytes: Uint8Array) => Uint8Array) {
    this.random = random;
  }

  next(): number {
    if (this.used >= this.pool.length) {
      this.pool = this.random(new Uint8Array(POOL_BYTES));
      this.used = 0;
    }
    return ((this.pool[this.used++] ?? 0) << 8) | (this.pool[this.used++] ?? 0);
  }
}

function textOf(time: number): string {
  const high = Math.floor(time / 2 ** 16);
  return `${hexWord(high >>> 16)}${hexWord(high)}-${hexWord(time)}`;
}
