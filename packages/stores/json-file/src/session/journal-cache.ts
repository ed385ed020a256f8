import type { Journal } from "../commit/journal.js";
import type { HandleQueue } from "../engine/handle-queue.js";

/** Journals are kept open up to this many: each holds a file. */
const MOST_OPEN = 256;

/** And up to this many bytes of journal, which their states in memory stand for. */
const MOST_BYTES = 128 * 1024 * 1024;

interface Entry {
  readonly journal: Journal;
  users: number;
  weight: number;
}

/** Open journals, those used last. */
export class JournalCache {
  readonly #open: (name: string) => Journal;
  readonly #queue: HandleQueue;
  readonly #entries = new Map<string, Entry>();
  #usedLast: Entry | undefined;
  #bytes = 0;

  constructor(open: (name: string) => Journal, queue: HandleQueue) {
    this.#open = open;
    this.#queue = queue;
  }

  /** Uses the journal of a folder, which is not closed meanwhile. */
  use<Result>(name: string, work: (journal: Journal) => Promise<Result> | Result): Promise<Result> {
    return this.#queue.run(async () => {
      const journal = this.take(name);
      try {
        return await work(journal);
      } finally {
        this.giveBack(name);
      }
    });
  }

  /** The journal of a folder. It is not closed until it is given back. */
  take(name: string): Journal {
    const entry = this.#entries.get(name) ?? { journal: this.#open(name), users: 0, weight: 0 };
    if (entry !== this.#usedLast) {
      this.#entries.delete(name); // to the end: used last
      this.#entries.set(name, entry);
      this.#usedLast = entry;
    }
    entry.users++;
    return entry.journal;
  }

  giveBack(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return; // all were closed meanwhile
    entry.users--;
    this.#weigh(entry, entry.journal.weight);
    this.#shrink();
  }

  /** Closes the file of the journal that was used longest ago and is not in use. `false` if there is none. */
  releaseIdle(): boolean {
    for (const { journal, users } of this.#entries.values()) {
      if (users > 0 || !journal.isOpen) continue;
      journal.close();
      return true;
    }
    return false;
  }

  /** What is in memory of a folder's journal is read anew by its next use. */
  forget(name: string): void {
    this.#entries.get(name)?.journal.close();
  }

  closeAll(): void {
    for (const { journal } of this.#entries.values()) journal.close();
    this.#entries.clear();
    this.#usedLast = undefined;
    this.#bytes = 0;
  }

  #weigh(entry: Entry, weight: number): void {
    this.#bytes += weight - entry.weight;
    entry.weight = weight;
  }

  #shrink(): void {
    for (const [name, entry] of this.#entries) {
      if (this.#entries.size <= MOST_OPEN && this.#bytes <= MOST_BYTES) return;
      if (entry.users > 0 || this.#entries.size === 1) continue;
      entry.journal.close();
      this.#weigh(entry, 0);
      this.#entries.delete(name);
    }
  }
}
