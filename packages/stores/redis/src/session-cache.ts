import type { Content } from "./moment.js";

/** A session as it was read or written last. */
export interface Known {
  readonly incarnation: string;
  readonly version: string;
  readonly partsVersion: string;
  readonly content: Content;
}

/** So many sessions are kept, however small they are. */
const MOST_SESSIONS = 2000;

/**
 * What was read of sessions. It is never an answer by itself: the server says which of it still counts. Bounded by the length
 * of the messages; the session that was used longest ago goes first.
 */
export class SessionCache {
  readonly #limit: number;
  readonly #known = new Map<string, Known>();
  /** What each was counted with: tables grow. */
  readonly #sizes = new Map<string, number>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(id: string): Known | undefined {
    return this.#known.get(id);
  }

  put(id: string, known: Known): void {
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
}
