import { appended, type Leaf, LeafTrie } from "./leaf-trie.js";

const BITS = 5;
const WIDTH = 32;
const MASK = 31;

/** A bound of `slice` as a position. As for arrays, negative ones count from the end. */
function clamp(position: number, length: number): number {
  const whole = Math.trunc(position) || 0;
  return whole < 0 ? Math.max(0, length + whole) : Math.min(whole, length);
}

/**
 * An immutable list. A change returns a new list that shares nearly everything with the old one. Its cost does not grow with
 * the length. Items may be anything but `undefined`.
 */
export class PersistentVector<T> implements Iterable<T> {
  // Shared: every state of a session has several empty lists.
  private static readonly EMPTY: PersistentVector<never> = new PersistentVector<never>(LeafTrie.empty(), []);
  readonly length: number;
  private readonly trie: LeafTrie<T>;
  // The last 1 to 32 items (none if the list is empty). 31 of 32 pushes do not touch the trie.
  private readonly tail: Leaf<T>;

  private constructor(trie: LeafTrie<T>, tail: Leaf<T>) {
    this.length = trie.count * WIDTH + tail.length;
    this.trie = trie;
    this.tail = tail;
  }

  /** The empty list. */
  static empty<T>(): PersistentVector<T> {
    return PersistentVector.EMPTY;
  }

  /** A list of these items. */
  static from<T>(items: Iterable<T>): PersistentVector<T> {
    return PersistentVector.empty<T>().pushAll(items);
  }

  /** The item at `index`, or `undefined`. */
  get(index: number): T | undefined {
    // `>>> 0` changes fractions and negative numbers, and no valid index.
    if (index >>> 0 !== index || index >= this.length) return undefined;
    return this.leaf(index >>> BITS)?.[index & MASK];
  }

  /** This list with `item` at its end. */
  push(item: T): PersistentVector<T> {
    if (this.tail.length < WIDTH) return new PersistentVector(this.trie, appended(this.tail, item));
    return new PersistentVector(this.trie.append(this.tail), [item]);
  }

  /** This list with all of `items` at its end. */
  pushAll(items: Iterable<T>): PersistentVector<T> {
    let trie = this.trie;
    let tail = this.tail.slice();
    for (const item of items) {
      if (tail.length === WIDTH) {
        // A copy has the exact size. An array that grew by pushes keeps room for more.
        trie = trie.append(tail.slice());
        tail = [];
      }
      tail.push(item);
    }
    return new PersistentVector(trie, tail.slice());
  }

  /** This list with `item` at `index`. Throws a `RangeError` if there is no item at `index`. */
  set(index: number, item: T): PersistentVector<T> {
    if (index >>> 0 !== index || index >= this.length) {
      throw new RangeError(`No item at ${index}: the list has ${this.length}.`);
    }
    const leafIndex = index >>> BITS;
    const leaf = (this.leaf(leafIndex) ?? []).slice();
    leaf[index & MASK] = item;
    if (leafIndex === this.trie.count) return new PersistentVector(this.trie, leaf);
    return new PersistentVector(this.trie.replace(leafIndex, leaf), this.tail);
  }

  /**
   * The first `length` items, or this list if it has no more. The result does not reference the others.
   * Throws a `RangeError` if `length` is not a whole number of at least 0.
   */
  truncate(length: number): PersistentVector<T> {
    if (!(length >= 0) || !Number.isInteger(length)) throw new RangeError(`${length} is not a length.`);
    if (length >= this.length) return this;
    if (length === 0) return PersistentVector.empty();
    // The leaf with the last kept item becomes the tail.
    const leafIndex = (length - 1) >>> BITS;
    const tail = (this.leaf(leafIndex) ?? []).slice(0, length - leafIndex * WIDTH);
    if (leafIndex === this.trie.count) return new PersistentVector(this.trie, tail);
    return new PersistentVector(this.trie.first(leafIndex), tail);
  }

  /** A new array of the items in a range. The bounds are those of `Array.prototype.slice`. */
  slice(from = 0, to: number = this.length): T[] {
    const items: T[] = [];
    const end = clamp(to, this.length);
    for (let index = clamp(from, this.length); index < end; index = (index | MASK) + 1) {
      const leaf = this.leaf(index >>> BITS) ?? [];
      items.push(...leaf.slice(index & MASK, end - (index & ~MASK)));
    }
    return items;
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let index = 0; index <= this.trie.count; index++) yield* this.leaf(index) ?? [];
  }

  private leaf(index: number): Leaf<T> | undefined {
    return index === this.trie.count ? this.tail : this.trie.leaf(index);
  }
}
