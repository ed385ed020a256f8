import type { Change, WatchTarget } from "@sessions/protocol";
import { dataLost } from "../error-mapping.js";
import { feedCursor } from "./feed-cursor.js";

/** So many sessions are remembered with the revision that was delivered last, lest it is delivered twice. */
const MAX_DELIVERED = 10_000;

/** A change of a session, before it is known how far its watcher has got. */
export interface SessionChange {
  readonly sessionId: string;
  readonly revision: number;
  readonly at: number;
  readonly isDeleted: boolean;
}

/** Where a change stands in the feed. */
export interface FeedPlace {
  readonly store: string;
  readonly partition: number;
  readonly position: number;
}

interface PendingChange {
  readonly change: SessionChange;
  readonly place: FeedPlace | undefined;
}

/** One call of `watch`. Changes are coalesced: a slow watcher gets the last change of every session. */
export class Watcher {
  readonly target: WatchTarget;
  readonly signal: AbortSignal;
  readonly #pending = new Map<string, PendingChange>();
  readonly #delivered = new Map<string, number>();
  /** What was offered before it was known where the watcher begins. */
  #early: PendingChange[] | undefined = [];
  #store = "";
  /** Up to which position of each partition all changes were delivered. */
  #positions: number[] = [];
  /** What stands up to here in each partition is no news. */
  #known: readonly number[] = [];
  #needsReset = false;
  #last: SessionChange | undefined;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(target: WatchTarget, signal: AbortSignal) {
    this.target = target;
    this.signal = signal;
  }

  /** What is delivered comes behind these positions. */
  beginAt(store: string, positions: readonly number[]): void {
    this.#store = store;
    this.#positions = [...positions];
  }

  /** Everything up to these positions was offered as missed, or is no news. From now on the reader's changes count. */
  begun(known: readonly number[]): void {
    this.#known = known;
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const { change, place } of early) this.offer(change, place);
  }

  /** Earlier changes may be missing for ever: the next one says so. */
  reset(): void {
    this.#needsReset = true;
  }

  /** This revision is not delivered. */
  knows(sessionId: string, revision: number): void {
    this.#delivered.delete(sessionId);
    this.#delivered.set(sessionId, revision);
    const [oldest] = this.#delivered.keys();
    if (this.#delivered.size > MAX_DELIVERED && oldest !== undefined) this.#delivered.delete(oldest);
  }

  /** What a watcher of one session has seen of it last. */
  get last(): SessionChange | undefined {
    return this.#last;
  }

  /** What its session was at when it began. */
  beginsWith(change: SessionChange): void {
    this.#last = change;
    this.offerMissed(change);
  }

  /** A change that was made before the watcher began. */
  offerMissed(change: SessionChange, place?: FeedPlace): void {
    const { sessionId } = change;
    this.#pending.delete(sessionId); // to the end: delivered in the order of the last changes
    this.#pending.set(sessionId, { change, place });
    this.#wake();
  }

  offer(change: SessionChange, place?: FeedPlace): void {
    if (this.#early !== undefined) this.#early.push({ change, place });
    else if (place === undefined || this.#isNews(place)) this.offerMissed(change, place);
  }

  /** What was read of its session, of which it had seen something before. That is behind only if the session was lost or forgotten. */
  offerRead(change: SessionChange | undefined, seen: SessionChange | undefined): void {
    const revision = change?.revision ?? 0;
    if (seen !== undefined && revision < seen.revision) {
      const { sessionId } = seen;
      if (seen.isDeleted)
        this.#delivered.delete(sessionId); // its tombstone is forgotten: revisions begin anew
      else this.fail(dataLost(sessionId, seen.revision, revision));
    }
    if (change !== undefined) this.offer(change);
  }

  /** Ends it. */
  fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    this.#wake();
  }

  async *changes(): AsyncGenerator<Change> {
    const { signal } = this;
    const abort = (): void => this.#wake();
    signal.addEventListener("abort", abort, { once: true });
    try {
      while (!signal.aborted) {
        if (this.#failure !== undefined) throw this.#failure;
        const next = this.#take();
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #isNews({ store, partition, position }: FeedPlace): boolean {
    if (store === this.#store) return position > (this.#known[partition] ?? 0);
    // The server was emptied, and another store is there now.
    this.beginAt(store, []);
    this.#known = [];
    this.#delivered.clear();
    this.#needsReset = true;
    return true;
  }

  #take(): Change | undefined {
    for (const [id, { change, place }] of this.#pending) {
      this.#pending.delete(id);
      if (place !== undefined) this.#positions[place.partition] = place.position;
      const { sessionId, revision, at, isDeleted } = change;
      const last = this.#delivered.get(sessionId);
      // A session may change again between its place in the feed and its record.
      if (last === revision || (place === undefined && last !== undefined && revision < last)) continue;
      this.knows(sessionId, revision);
      this.#last = change;
      const cursor = feedCursor({
        store: this.#store,
        positions: Array.from(this.#positions, (one) => one ?? 0),
      });
      const reset = this.#needsReset ? { reset: true } : {};
      this.#needsReset = false;
      return { sessionId, revision, at, ...(isDeleted ? { deleted: true } : {}), cursor, ...reset };
    }
    return undefined;
  }
}
