import type { Journal } from "./journal.js";

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
  readonly #entries = new Map<string, Entry>();
  #usedLast: Entry | undefined;
  #bytes = 0;

  constructor(open: (name: string) => Journal) {
    this.#open = open;
  }

  /** Uses the journal of a folder, which is not closed meanwhile. */
  async use<Result>(name: string, work: (journal: Journal) => Promise<Result> | Result): Promise<Result> {
    const journal = this.take(name);
    try {
      return await work(journal);
    } finally {
      this.giveBack(name);
    }
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
