import type { Journal } from "./journal.js";

/** Journals are kept open up to this many: each holds a file and a session's state. */
const MOST_OPEN = 256;

/** Open journals, those used last. */
export class JournalCache {
  readonly #open: (folder: string) => Journal;
  readonly #journals = new Map<string, Journal>();
  readonly #busy = new Map<Journal, number>();

  constructor(open: (folder: string) => Journal) {
    this.#open = open;
  }

  /** Uses the journal of a folder. It is not closed while it is in use. */
  async use<Result>(folder: string, work: (journal: Journal) => Promise<Result> | Result): Promise<Result> {
    const journal = this.#journals.get(folder) ?? this.#open(folder);
    this.#journals.delete(folder); // to the end: used last
    this.#journals.set(folder, journal);
    this.#busy.set(journal, (this.#busy.get(journal) ?? 0) + 1);
    try {
      return await work(journal);
    } finally {
      this.#release(journal);
      this.#shrink();
    }
  }

  closeAll(): void {
    for (const journal of this.#journals.values()) journal.close();
    this.#journals.clear();
  }

  #release(journal: Journal): void {
    const users = (this.#busy.get(journal) ?? 1) - 1;
    if (users === 0) this.#busy.delete(journal);
    else this.#busy.set(journal, users);
  }

  #shrink(): void {
    for (const [folder, journal] of this.#journals) {
      if (this.#journals.size <= MOST_OPEN) return;
      if (this.#busy.has(journal)) continue;
      journal.close();
      this.#journals.delete(folder);
    }
  }
}
