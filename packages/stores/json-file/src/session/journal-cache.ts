/** What a cache keeps of a session: its state in memory, and a file that may be open. */
export interface CachedJournal {
  /** About how many bytes of memory it takes. */
  readonly weight: number;
  readonly isOpen: boolean;
  /** Whether it knows something that the file does not tell: then it is not dropped. */
  readonly isPinned: boolean;
  /** Closes the file and keeps the state. */
  release(): void;
  /** Closes the file and forgets the state. */
  close(): void;
}

/** How much a cache keeps. */
export interface CacheBudget {
  /** For states. The one that was used last stays in any case. */
  readonly maxBytes: number;
  readonly maxOpenFiles: number;
}

interface Entry<Journal> {
  readonly journal: Journal;
  users: number;
  weight: number;
}

/** Journals that were used lately: states within a budget of bytes, open files within a budget of their own. */
export class JournalCache<Journal extends CachedJournal> {
  readonly #create: (name: string) => Journal;
  readonly #budget: CacheBudget;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<Journal>>();
  /** Those with an open file, in the order of their last use. */
  readonly #open = new Set<Entry<Journal>>();
  #bytes = 0;

  constructor(create: (name: string) => Journal, budget: CacheBudget) {
    this.#create = create;
    this.#budget = budget;
  }

  /** Uses the journal of a folder. Meanwhile it is neither released nor dropped. */
  async use<Result>(name: string, work: (journal: Journal) => Promise<Result>): Promise<Result> {
    const entry = this.#entries.get(name) ?? { journal: this.#create(name), users: 0, weight: 0 };
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    entry.users++;
    try {
      return await work(entry.journal);
    } finally {
      entry.users--;
      if (this.#entries.get(name) === entry) this.#used(entry);
    }
  }

  /** Closes the file that was used longest ago and is not in use. `false` if there is none. */
  releaseOne(): boolean {
    for (const entry of this.#open) {
      if (entry.users > 0) continue;
      entry.journal.release();
      this.#open.delete(entry);
      return true;
    }
    return false;
  }

  /** Forgets what is in memory of a folder's journal. The next use reads it from the file. */
  forget(name: string): void {
    this.#entries.get(name)?.journal.close();
  }

  closeAll(): void {
    for (const { journal } of this.#entries.values()) journal.close();
    this.#entries.clear();
    this.#open.clear();
    this.#bytes = 0;
  }

  #used(entry: Entry<Journal>): void {
    const { isOpen, weight } = entry.journal;
    this.#open.delete(entry);
    if (isOpen) this.#open.add(entry);
    this.#bytes += weight - entry.weight;
    entry.weight = weight;
    while (this.#open.size > this.#budget.maxOpenFiles && this.releaseOne());
    this.#dropOldest();
  }

  #dropOldest(): void {
    for (const [name, entry] of this.#entries) {
      if (this.#bytes <= this.#budget.maxBytes || this.#entries.size === 1) return;
      if (entry.users > 0 || entry.journal.isPinned) continue;
      entry.journal.close();
      this.#entries.delete(name);
      this.#open.delete(entry);
      this.#bytes -= entry.weight;
    }
  }
}
