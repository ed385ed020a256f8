import { KeyedVector, type Memory, type MemoryDocument, type Remembered } from "@sessions/protocol/backend";

/** What is stored of a memory. */
export interface MemorySource<Entry extends Remembered> {
  /** The time of the newest forgotten entry. */
  readonly horizon: number;
  get(id: string): Entry | undefined;
  /** All entries, oldest first. */
  entries(): readonly Entry[];
}

/** A stored memory, and the entries that are not stored yet. The store forgets by itself. */
class RowMemory<Entry extends Remembered> implements Memory<Entry> {
  readonly source: MemorySource<Entry>;
  readonly added: KeyedVector<Entry>;

  constructor(source: MemorySource<Entry>, added: KeyedVector<Entry>) {
    this.source = source;
    this.added = added;
  }

  get horizon(): number {
    return this.source.horizon;
  }

  get(id: string): Entry | undefined {
    const position = this.added.positionOf(id);
    return position === undefined ? this.source.get(id) : this.added.get(position);
  }

  add(entry: Entry): RowMemory<Entry> {
    return new RowMemory(this.source, this.added.push(entry));
  }

  toDocument(): MemoryDocument<Entry> {
    return { entries: [...this.source.entries(), ...this.added], horizon: this.horizon };
  }
}

/** A memory whose entries are stored. */
export function rowMemory<Entry extends Remembered>(source: MemorySource<Entry>): Memory<Entry> {
  return new RowMemory<Entry>(source, KeyedVector.empty());
}

/** What of a memory is stored, and what is not stored yet. */
export interface MemoryChanges<Entry extends Remembered> {
  /** Absent where what is stored no longer counts: an import has replaced it. */
  readonly source?: MemorySource<Entry>;
  readonly added: readonly Entry[];
  readonly horizon: number;
}

/** What a store has to write of a memory after commits were applied to it. */
export function memoryChangesOf<Entry extends Remembered>(memory: Memory<Entry>): MemoryChanges<Entry> {
  if (memory instanceof RowMemory) {
    const { source, added, horizon }: RowMemory<Entry> = memory;
    return { source, added: added.slice(), horizon };
  }
  const { entries, horizon } = memory.toDocument();
  return { added: entries, horizon };
}
