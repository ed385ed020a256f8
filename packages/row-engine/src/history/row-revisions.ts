import { PersistentVector, type Sequence } from "@sessions/protocol/backend";
import type { HistorySource } from "./history-source.js";

/** The revisions of the first `kept` messages of a source, and of messages after them. */
export class RowRevisions implements Sequence<number> {
  readonly #source: HistorySource;
  readonly #kept: number;
  readonly added: PersistentVector<number>;

  constructor(
    source: HistorySource,
    kept: number = source.length,
    added: PersistentVector<number> = PersistentVector.empty(),
  ) {
    this.#source = source;
    this.#kept = kept;
    this.added = added;
  }

  get length(): number {
    return this.#kept + this.added.length;
  }

  get(index: number): number | undefined {
    return index < this.#kept ? this.#source.revision(index) : this.added.get(index - this.#kept);
  }

  push(revision: number): RowRevisions {
    return new RowRevisions(this.#source, this.#kept, this.added.push(revision));
  }

  pushAll(revisions: readonly number[]): RowRevisions {
    return new RowRevisions(this.#source, this.#kept, this.added.pushAll(revisions));
  }

  truncate(length: number): RowRevisions {
    if (length >= this.length) return this;
    const kept = Math.min(length, this.#kept);
    return new RowRevisions(this.#source, kept, this.added.truncate(length - kept));
  }

  slice(from = 0, to: number = this.length): number[] {
    const stored = from < this.#kept ? this.#source.revisions(from, Math.min(to, this.#kept)) : [];
    if (to <= this.#kept) return stored;
    return stored.concat(this.added.slice(Math.max(0, from - this.#kept), to - this.#kept));
  }
}
