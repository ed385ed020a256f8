import { PersistentVector } from "./persistent-vector.js";
import { PositionHints } from "./position-hints.js";

/** The hints are rebuilt when one id has more positions than this, because a lookup tries them all. */
const MAX_POSITIONS_PER_ID = 8;

interface Keyed {
  readonly id: string;
}

/** An immutable list of items with unique ids, with a lookup by id. The cost of a change does not grow with the length. */
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

  /** The position of the item with this id. */
  positionOf(id: string): number | undefined {
    if (this.length === 0) return undefined; // saves hashing the id
    return this.#hints.find(id, (position) => this.#items.get(position)?.id === id);
  }

  /** This list with `item` at its end. No item of the list may have its id. */
  push(item: T): KeyedVector<T> {
    const hints = this.#hintsFor(1);
    const positions = hints.add(item.id, this.length);
    return this.#grown(this.#items.push(item), hints, positions);
  }

  /** This list with all of `items` at its end. Their ids must be unique in the result. */
  pushAll(items: readonly T[]): KeyedVector<T> {
    const hints = this.#hintsFor(items.length);
    let most = 0;
    for (const [index, { id }] of items.entries()) most = Math.max(most, hints.add(id, this.length + index));
    return this.#grown(this.#items.pushAll(items), hints, most);
  }

  /** This list with `item` at `index`. It must have the id of the item that it replaces. */
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
   * The hints to which `more` ids can be added. They are rebuilt when most of them stem from other lists. Then this list
   * uses the new ones too: hints do not affect what a list contains.
   */
  #hintsFor(more: number): PositionHints {
    if (this.length === 0) return new PositionHints(); // the empty list is shared, its hints must not be
    if (this.#hints.size > 2 * (this.length + more) + 64) this.#hints = hintsOf(this.#items);
    return this.#hints;
  }

  #grown(items: PersistentVector<T>, hints: PositionHints, positionsPerId: number): KeyedVector<T> {
    if (positionsPerId <= MAX_POSITIONS_PER_ID) return new KeyedVector(items, hints);
    this.#hints = hintsOf(items);
    return new KeyedVector(items, this.#hints);
  }
}

/** Shared: every state of a session has several empty lists. */
const EMPTY: KeyedVector<never> = KeyedVector.from<never>([]);

function hintsOf(items: Iterable<Keyed>): PositionHints {
  const hints = new PositionHints();
  let position = 0;
  for (const { id } of items) hints.add(id, position++);
  return hints;
}
