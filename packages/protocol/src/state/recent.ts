import { PersistentMap } from "../persistent/persistent-map.js";
import { PersistentVector } from "../persistent/persistent-vector.js";
import type { MemoryDocument } from "../session/session-document.js";
import type { Retention } from "./retention.js";

interface Remembered {
  readonly id: string;
  readonly at: number;
}

/** A bounded, immutable memory of the newest entries, by id. Adding costs the same however many there are. */
export class Recent<Entry extends Remembered> {
  /** The time of the newest forgotten entry: what is as old as that can no longer be judged. */
  readonly horizon: number;
  readonly #byId: PersistentMap<Entry>;
  readonly #order: PersistentVector<Entry>;
  // Forgotten entries stay at the front of `#order` until half of it is dead: dropping is then O(1) amortised.
  readonly #from: number;

  private constructor(byId: PersistentMap<Entry>, order: PersistentVector<Entry>, from: number, horizon: number) {
    this.#byId = byId;
    this.#order = order;
    this.#from = from;
    this.horizon = horizon;
  }

  static empty<Entry extends Remembered>(): Recent<Entry> {
    return new Recent<Entry>(PersistentMap.empty(), PersistentVector.empty(), 0, 0);
  }

  static from<Entry extends Remembered>(document: MemoryDocument<Entry>): Recent<Entry> {
    let byId = PersistentMap.empty<Entry>();
    for (const entry of document.entries) byId = byId.set(entry.id, entry);
    return new Recent(byId, PersistentVector.from(document.entries), 0, document.horizon);
  }

  get(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /** Remembers `entry` (in place of an older one with its id) and forgets what `retention` no longer keeps. */
  add(entry: Entry, retention: Retention): Recent<Entry> {
    let { horizon } = this;
    let byId = this.#byId.set(entry.id, entry);
    const order = this.#order.push(entry);
    let from = this.#from;
    for (; order.length - from > retention.count; from++) {
      const oldest = order.get(from);
      if (oldest === undefined || oldest.at > entry.at - retention.ms) break;
      if (byId.get(oldest.id) !== oldest) continue; // remembered anew since
      byId = byId.delete(oldest.id);
      horizon = Math.max(horizon, oldest.at);
    }
    return new Recent(byId, order, from, horizon).#compacted();
  }

  toDocument(): MemoryDocument<Entry> {
    const kept = this.#order.slice(this.#from).filter((entry) => this.#byId.get(entry.id) === entry);
    return { entries: kept, horizon: this.horizon };
  }

  #compacted(): Recent<Entry> {
    if (this.#from < 1024 || this.#from * 2 < this.#order.length) return this;
    return new Recent(this.#byId, PersistentVector.from(this.#order.slice(this.#from)), 0, this.horizon);
  }
}
