import { KeyedVector } from "../../persistent/keyed-vector.js";
import type { MemoryDocument } from "../../session/session-document.js";
import type { Memory, Remembered } from "./memory.js";
import type { Retention } from "./retention.js";

/**
 * A memory in two generations. When the younger one is full and the whole older one may be forgotten, the older one is
 * dropped. So it keeps a little more than it must, and an addition costs the same at any size.
 */
export class TwoGenerationMemory<Entry extends Remembered> implements Memory<Entry> {
  readonly horizon: number;
  readonly #older: KeyedVector<Entry>;
  readonly #younger: KeyedVector<Entry>;
  readonly #newestOlder: number;

  private constructor(
    older: KeyedVector<Entry>,
    younger: KeyedVector<Entry>,
    newestOlder: number,
    horizon: number,
  ) {
    this.#older = older;
    this.#younger = younger;
    this.#newestOlder = newestOlder;
    this.horizon = horizon;
  }

  static empty<Entry extends Remembered>(): TwoGenerationMemory<Entry> {
    return new TwoGenerationMemory<Entry>(KeyedVector.empty(), KeyedVector.empty(), 0, 0);
  }

  static from<Entry extends Remembered>({
    entries,
    horizon,
  }: MemoryDocument<Entry>): TwoGenerationMemory<Entry> {
    return new TwoGenerationMemory<Entry>(KeyedVector.empty(), KeyedVector.from(entries), 0, horizon);
  }

  get(id: string): Entry | undefined {
    return find(this.#younger, id) ?? find(this.#older, id);
  }

  /** Adds `entry`, whose id is new, and drops entries beyond `retention`. */
  add(entry: Entry, retention: Retention): TwoGenerationMemory<Entry> {
    const mayForget = this.#older.length === 0 || this.#newestOlder <= entry.at - retention.ms;
    if (this.#younger.length < retention.count || !mayForget) {
      return new TwoGenerationMemory(this.#older, this.#younger.push(entry), this.#newestOlder, this.horizon);
    }
    const horizon = this.#older.length === 0 ? this.horizon : Math.max(this.horizon, this.#newestOlder);
    return new TwoGenerationMemory(
      this.#younger,
      KeyedVector.empty<Entry>().push(entry),
      newestOf(this.#younger),
      horizon,
    );
  }

  toDocument(): MemoryDocument<Entry> {
    return { entries: [...this.#older, ...this.#younger], horizon: this.horizon };
  }
}

function find<Entry extends Remembered>(entries: KeyedVector<Entry>, id: string): Entry | undefined {
  const position = entries.positionOf(id);
  return position === undefined ? undefined : entries.get(position);
}

function newestOf(entries: Iterable<Remembered>): number {
  let newest = 0;
  for (const { at } of entries) newest = Math.max(newest, at);
  return newest;
}
