/** A seeded pseudorandom generator. The same seed and names give the same choices. */
export class Random {
  #state: number;

  /** Generators with different `names` give different choices for one seed. */
  constructor(seed: number, ...names: readonly (string | number)[]) {
    this.#state = seed >>> 0;
    for (const letter of names.join(" "))
      this.#state = Math.imul(this.#state ^ letter.charCodeAt(0), 16777619);
  }

  /** At least 0 and less than 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One of the items, or `undefined` if there are none. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.fraction() * items.length)];
  }

  /** One of the items. Its probability is its share of the total weight. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item | undefined {
    let left = this.fraction() * items.reduce((sum, [weight]) => sum + weight, 0);
    return items.find(([weight]) => {
      left -= weight;
      return left < 0;
    })?.[1];
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const keyed = items.map((item) => ({ item, key: this.fraction() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
  }
}
