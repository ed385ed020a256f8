/** How many batches of a session may be under way at once. */
const MOST_AHEAD = 2;

/** The batches of a session that are under way: more than one only where the backend says so. */
export class Flight {
  readonly #batches = new Set<Promise<void>>();

  get size(): number {
    return this.#batches.size;
  }

  get isFull(): boolean {
    return this.#batches.size >= MOST_AHEAD;
  }

  add(batch: Promise<void>): void {
    const tracked = batch.finally(() => this.#batches.delete(tracked));
    this.#batches.add(tracked);
  }

  /** Resolves when one of them has settled. */
  landing(): Promise<void> {
    return Promise.race(this.#batches);
  }

  /** Resolves when all of them have. */
  async landed(): Promise<void> {
    await Promise.all(this.#batches);
  }
}
