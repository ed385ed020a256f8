import { hexWord } from "../encoding/hex-word.js";

const SEED = 0x5e551015;

/** A 128-bit digest of a text, as 32 hex digits. It is stored, so it is the same in every version. Not for secrets. */
export function digestText(text: string): string {
  const digest = new Digest();
  digest.text(text);
  return digest.hex();
}

/**
 * A 128-bit hash of a sequence of 32-bit words: MurmurHash3 (x86, 128 bits) of their bytes, padded with zeros to a whole
 * block. Because of the padding, the words must say by themselves where they end. The hash does not resist an attacker who
 * looks for collisions. Digests are stored: the same words must give the same digest in every version.
 */
export class Digest {
  private a: number = SEED;
  private b: number = SEED;
  private c: number = SEED;
  private d: number = SEED;
  private words = 0;

  /** Adds one word. */
  word(word: number): void {
    switch (this.words++ & 3) {
      case 0:
        this.a = stirA(this.a, this.b, word);
        break;
      case 1:
        this.b = stirB(this.b, this.c, word);
        break;
      case 2:
        this.c = stirC(this.c, this.d, word);
        break;
      default:
        this.d = stirD(this.d, this.a, word);
    }
  }

  /** Adds a text: its length, so that it cannot merge with what follows, then two UTF-16 units per word. */
  text(text: string): void {
    this.word(text.length);
    const even = text.length & ~1;
    let index = 0;
    for (; index < even && (this.words & 3) !== 0; index += 2) this.word(wordAt(text, index));
    for (index = this.blocks(text, index); index < even; index += 2) this.word(wordAt(text, index));
    if (even < text.length) this.word(text.charCodeAt(even));
  }

  /** Adds the whole blocks of `text` from `start` on, and returns where they end. */
  private blocks(text: string, start: number): number {
    // With local variables: more than twice as fast as word by word.
    let { a, b, c, d } = this;
    let index = start;
    for (; index + 8 <= text.length; index += 8) {
      a = stirA(a, b, wordAt(text, index));
      b = stirB(b, c, wordAt(text, index + 2));
      c = stirC(c, d, wordAt(text, index + 4));
      d = stirD(d, a, wordAt(text, index + 6));
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
    this.words += (index - start) / 2;
    return index;
  }

  /** The digest of everything that was added, as 32 hex digits. Nothing may be added afterwards. */
  hex(): string {
    while ((this.words & 3) !== 0) this.word(0);
    const bytes = this.words * 4;
    const lanes = blend([this.a ^ bytes, this.b ^ bytes, this.c ^ bytes, this.d ^ bytes]);
    return blend(lanes.map(finish))
      .map((lane) => hexWord(lane >>> 16) + hexWord(lane))
      .join("");
  }
}

// Never call it beyond the end: one `NaN`, and V8 switches the whole computation to floating-point numbers.
function wordAt(text: string, index: number): number {
  return text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function scramble(word: number, before: number, bits: number, after: number): number {
  return Math.imul(rotate(Math.imul(word, before), bits), after);
}

function stirA(a: number, b: number, word: number): number {
  const lane = rotate(a ^ scramble(word, 0x239b961b, 15, 0xab0e9789), 19) + b;
  return (Math.imul(lane, 5) + 0x561ccd1b) | 0;
}

function stirB(b: number, c: number, word: number): number {
  const lane = rotate(b ^ scramble(word, 0xab0e9789, 16, 0x38b34ae5), 17) + c;
  return (Math.imul(lane, 5) + 0x0bcaa747) | 0;
}

function stirC(c: number, d: number, word: number): number {
  const lane = rotate(c ^ scramble(word, 0x38b34ae5, 17, 0xa1e38b93), 15) + d;
  return (Math.imul(lane, 5) + 0x96cd1c35) | 0;
}

function stirD(d: number, a: number, word: number): number {
  const lane = rotate(d ^ scramble(word, 0xa1e38b93, 18, 0x239b961b), 13) + a;
  return (Math.imul(lane, 5) + 0x32ac3b17) | 0;
}

/** Makes each lane depend on all lanes: the first becomes the sum, and is added to the others. */
function blend(lanes: readonly number[]): readonly number[] {
  const sum = lanes.reduce((total, lane) => (total + lane) | 0, 0);
  return lanes.map((lane, index) => (index === 0 ? sum : (lane + sum) | 0));
}

/** Makes each bit of a lane depend on all of its bits. */
function finish(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
