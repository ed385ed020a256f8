import { hashText } from "./hash-text.js";
import { EMPTY_TRIE, entriesOf, findEntry, type HashTrie, putEntry, removeEntry } from "./hash-trie.js";

/**
 * An immutable map from texts to values. A change returns a new map that shares nearly everything with the old
 * one. Keys that hash alike are kept apart, only more slowly.
 */
export class PersistentMap<V> implements Iterable<readonly [string, V]> {
  readonly size: number;
  private readonly root: HashTrie<V>;
  private readonly hash: (key: string) => number;

  private constructor(size: number, root: HashTrie<V>, hash: (key: string) => number) {
    this.size = size;
    this.root = root;
    this.hash = hash;
  }

  /** A map without entries. `hash` gives 32 bits for a key, the same ones each time. */
  static empty<V>(hash: (key: string) => number = hashText): PersistentMap<V> {
    return new PersistentMap<V>(0, EMPTY_TRIE, hash);
  }

  /** The value of `key`; `undefined` where the map has no such key. */
  get(key: string): V | undefined {
    return findEntry(this.root, this.hash(key), key)?.value;
  }

  has(key: string): boolean {
    return findEntry(this.root, this.hash(key), key) !== undefined;
  }

  /** This map with `value` for `key`; this very map where it has that value already. */
  set(key: string, value: V): PersistentMap<V> {
    const hash = this.hash(key);
    const present = findEntry(this.root, hash, key);
    if (present !== undefined && Object.is(present.value, value)) return this;
    const size = present === undefined ? this.size + 1 : this.size;
    return new PersistentMap(size, putEntry(this.root, { hash, key, value }), this.hash);
  }

  /** This map without `key`; this very map where it has no such key. */
  delete(key: string): PersistentMap<V> {
    const hash = this.hash(key);
    if (findEntry(this.root, hash, key) === undefined) return this;
    return new PersistentMap(this.size - 1, removeEntry(this.root, hash, key), this.hash);
  }

  *[Symbol.iterator](): Generator<readonly [string, V], void, undefined> {
    for (const { key, value } of entriesOf(this.root)) yield [key, value];
  }
}
