import {
  type CommitMemory,
  type CommitWindow,
  GIVEN_COMMITS,
  type Memory,
  memoryLayersOf,
  type Remembered,
  type Retention,
} from "@sessions/protocol/backend";
import { addGenerated, FORGOTTEN_AT_ONCE } from "./generated-writer.js";
import type { Statements } from "./statements.js";
import {
  type Counted,
  type CountedGenerated,
  type GeneratedEntry,
  type MemoryKind,
  NOTHING_COUNTED,
  NOTHING_GENERATED,
} from "./stored-memory.js";

/** How many commits are remembered. */
interface Before {
  readonly commits: Counted;
  readonly generated: CountedGenerated;
}

/** Writes what a session remembers. */
export class MemoryWriter {
  readonly #statements: Statements;
  readonly #key: number;
  readonly #now: number;

  constructor(statements: Statements, key: number, now: number) {
    this.#statements = statements;
    this.#key = key;
    this.#now = now;
  }

  write<Entry extends Remembered>(
    kind: MemoryKind,
    memory: Memory<Entry>,
    before: Counted,
    retention: Retention,
  ): Counted {
    const { source, added, horizon } = memoryLayersOf(memory);
    const base = source === undefined ? this.#emptied(kind, before, horizon) : before;
    if (added.length === 0) return base;
    added.forEach((entry, index) => {
      const body = JSON.stringify(entry);
      this.#statements.addMemory.run(this.#key, kind, entry.id, base.n + index, entry.at, body);
    });
    const counted = {
      ...base,
      n: base.n + added.length,
      count: base.count + added.length,
      rows: rowsAfter(base, added.length),
    };
    return counted.count > retention.count + FORGOTTEN_AT_ONCE
      ? this.#forgotten(kind, counted, retention)
      : counted;
  }

  writeCommits(window: CommitWindow, before: Before): Before {
    return {
      commits: this.write("commit", window.given, before.commits, GIVEN_COMMITS),
      generated: this.#writeGenerated(window, before.generated),
    };
  }

  #writeGenerated(window: CommitWindow, before: CountedGenerated): CountedGenerated {
    const { source, added } = memoryLayersOf(window.generated);
    if (source === undefined && before.count > 0) this.#statements.deleteGenerated.run(this.#key);
    const base = source === undefined ? { ...NOTHING_GENERATED, n: before.n } : before;
    return added.length === 0 ? base : addGenerated(this.#statements, this.#key, base, added.map(entryOf));
  }

  #emptied(kind: MemoryKind, before: Counted, horizon: number): Counted {
    if (before.count > 0) this.#statements.deleteMemories.run(this.#key, kind);
    return { ...NOTHING_COUNTED, horizon };
  }

  #forgotten(kind: MemoryKind, counted: Counted, { count, ms }: Retention): Counted {
    const before = counted.n - count;
    const at = this.#now - ms;
    const newest = this.#statements.newestForgettable.get(this.#key, kind, before, at) ?? 0;
    const { changes } = this.#statements.forgetMemories.run(this.#key, kind, before, at);
    // Nothing can be forgotten yet: asked again after as many more.
    if (changes === 0) return { ...counted, count: count };
    const horizon = Math.max(counted.horizon, newest);
    return { ...counted, count: counted.count - changes, horizon, rows: rowsAfter(counted, -changes) };
  }
}

function rowsAfter({ rows }: Counted, more: number): number | undefined {
  return rows === undefined ? undefined : rows + more;
}

function entryOf({ id, revision, at, skipped }: CommitMemory): GeneratedEntry {
  return skipped === undefined ? [id, revision, at] : [id, revision, at, skipped];
}
