import { PersistentVector } from "./persistent-vector.js";
import { PositionHints } from "./position-hints.js";

/** How many places one id may have had before the hints are made anew: looking it up tries them all. */
const MAX_PLACES = 8;

interface Keyed {
  readonly id: string;
}

/**
 * An immutable list of items with unique ids, which finds an item by its id. A change costs the same however long the
 * list is. Ids are the items' own: `set` must not change one.
 */
export class KeyedVector<T extends Keyed> implements Iterable<T> {
  readonly #items: PersistentVector<T>;
  #hints: PositionHints;

  private constructor(items: PersistentVector<T>, hints: PositionHints) {
    this.#items = items;
    this.#hints = hints;
  }

  static empty<T extends Keyed>(): KeyedVector<T> {
    return EMPTY;
  }

  static from<T extends Keyed>(items: Iterable<T>): KeyedVector<T> {
    const vector = PersistentVector.from(items);
    return new KeyedVector(vector, hintsOf(vector));
  }

  get length(): number {
    return this.#items.length;
  }

  get(index: number): T | undefined {
    return this.#items.get(index);
  }

  /** Where the item with this id stands. */
  positionOf(id: string): number | undefined {
    if (this.length === 0) return undefined; // need not even hash the id
    return this.#hints.find(id, (position) => this.#items.get(position)?.id === id);
  }

  /** With `item` at its end, whose id must not be here already. */
  push(item: T): KeyedVector<T> {
    const hints = this.#hintsFor(1);
    const places = hints.add(item.id, this.length);
    return this.#grown(this.#items.push(item), hints, places);
  }

  /** With all of `items` at its end; none of their ids may be here already, and each only once. */
  pushAll(items: readonly T[]): KeyedVector<T> {
    const hints = this.#hintsFor(items.length);
    let most = 0;
    for (const [index, { id }] of items.entries()) most = Math.max(most, hints.add(id, this.length + index));
    return this.#grown(this.#items.pushAll(items), hints, most);
  }

  set(index: number, item: T): KeyedVector<T> {
    return new KeyedVector(this.#items.set(index, item), this.#hints);
  }

  truncate(length: number): KeyedVector<T> {
    return length >= this.length ? this : new KeyedVector(this.#items.truncate(length), this.#hints);
  }

  slice(from?: number, to?: number): T[] {
    return this.#items.slice(from, to);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items[Symbol.iterator]();
  }

  /**
   * What other lists left behind is thrown away when it outweighs what is here. For this list too, which may be pushed
   * to again: the hints are no part of what it is.
   */
  #hintsFor(more: number): PositionHints {
    if (this.length === 0) return new PositionHints(); // the empty list is everybody's
    if (this.#hints.size > 2 * (this.length + more) + 64) this.#hints = hintsOf(this.#items);
    return this.#hints;
  }

  #grown(items: PersistentVector<T>, hints: PositionHints, places: number): KeyedVector<T> {
    if (places <= MAX_PLACES) return new KeyedVector(items, hints);
    this.#hints = hintsOf(items);
    return new KeyedVector(items, this.#hints);
  }
}

/** One for all: every state of a session that an engine keeps has some. */
const EMPTY: KeyedVector<never> = KeyedVector.from<never>([]);

function hintsOf(items: Iterable<Keyed>): PositionHints {
  const hints = new PositionHints();
  let position = 0;
  for (const { id } of items) hints.add(id, position++);
  return hints;
}
