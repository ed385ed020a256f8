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
    this.#size += known.content.table.size;
    for (const oldest of this.#known.keys()) {
      const isFull = this.#size > this.#limit || this.#known.size > MOST_SESSIONS;
      if (!isFull || oldest === id) return;
      this.forget(oldest);
    }
  }

  forget(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.delete(id);
    this.#size = [...this.#known.values()].reduce((sum, { content }) => sum + content.table.size, 0);
  }
}
