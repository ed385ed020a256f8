/** Choices that follow from a seed: the same seed tries the same things again. */
export class Random {
  #state: number;

  /** `names` tells apart those who share a seed. */
  constructor(seed: number, ...names: readonly (string | number)[]) {
    this.#state = seed >>> 0;
    for (const letter of names.join(" "))
      this.#state = Math.imul(this.#state ^ letter.charCodeAt(0), 16777619);
  }

  /** Between 0 and 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number; both ends may come. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One of them; `undefined` of none. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.fraction() * items.length)];
  }

  /** One of them, the heavier the likelier. */
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
