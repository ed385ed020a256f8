import type { Present } from "./moment.js";

/** So many sessions are kept, however small they are. */
const MOST_SESSIONS = 2000;

/**
 * Sessions as they were read or written last. It is never an answer by itself: the server says which of it still counts.
 * Bounded by the length of the messages; the session that was used longest ago goes first.
 */
export class SessionCache {
  readonly #limit: number;
  readonly #epoch: () => number;
  /** The connection that all of it was read on. */
  #readOn: number;
  readonly #known = new Map<string, Present>();
  /** What each was counted with: tables grow. */
  readonly #sizes = new Map<string, number>();
  #size = 0;

  /** `epoch`: which connection there is. A server that comes back may have lost rows, and given their numbers to others. */
  constructor(limit: number, epoch: () => number) {
    this.#limit = limit;
    this.#epoch = epoch;
    this.#readOn = epoch();
  }

  get(id: string): Present | undefined {
    if (this.#readOn !== this.#epoch()) this.#clear();
    return this.#known.get(id);
  }

  put(id: string, known: Present): void {
    this.forget(id);
    this.#known.set(id, known);
    const { size } = known.content.table;
    this.#sizes.set(id, size);
    this.#size += size;
    for (const oldest of this.#known.keys()) {
      const isFull = this.#size > this.#limit || this.#known.size > MOST_SESSIONS;
      if (!isFull || oldest === id) return;
      this.forget(oldest);
    }
  }

  forget(id: string): void {
    this.#known.delete(id);
    this.#size -= this.#sizes.get(id) ?? 0;
    this.#sizes.delete(id);
  }

  #clear(): void {
    this.#readOn = this.#epoch();
    this.#known.clear();
    this.#sizes.clear();
    this.#size = 0;
  }
}
