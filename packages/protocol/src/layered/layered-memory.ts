import { KeyedVector } from "../persistent/keyed-vector.js";
import type { MemoryDocument } from "../session/session-document.js";
import type { Memory, Remembered } from "../state/memory.js";

/** What an engine remembers. */
export interface MemorySource<Entry extends Remembered> {
  readonly horizon: number;
  get(id: string): Entry | undefined;
  /** All of it, oldest first. */
  entries(): readonly Entry[];
}

/** What an engine remembers, and what it has to remember beside. The engine forgets by itself. */
class LayeredMemory<Entry extends Remembered> implements Memory<Entry> {
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

  add(entry: Entry): LayeredMemory<Entry> {
    return new LayeredMemory(this.source, this.added.push(entry));
  }

  toDocument(): MemoryDocument<Entry> {
    return { entries: [...this.source.entries(), ...this.added], horizon: this.horizon };
  }
}

/** A memory that is in an engine. */
export function layeredMemory<Entry extends Remembered>(source: MemorySource<Entry>): Memory<Entry> {
  return new LayeredMemory<Entry>(source, KeyedVector.empty());
}

/** What a memory consists of: what an engine remembers (absent where that counts no more), and what is not there yet. */
export interface MemoryLayers<Entry extends Remembered> {
  readonly source?: MemorySource<Entry>;
  readonly added: readonly Entry[];
  readonly horizon: number;
}

export function memoryLayersOf<Entry extends Remembered>(memory: Memory<Entry>): MemoryLayers<Entry> {
  if (memory instanceof LayeredMemory) {
    const { source, added, horizon }: LayeredMemory<Entry> = memory;
    return { source, added: added.slice(), horizon };
  }
  const { entries, horizon } = memory.toDocument();
  return { added: entries, horizon };
}
