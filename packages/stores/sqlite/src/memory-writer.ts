import {
  type CommitMemory,
  type CommitWindow,
  GENERATED_COMMITS,
  GIVEN_COMMITS,
  type Memory,
  memoryLayersOf,
  type Remembered,
  type Retention,
} from "@sessions/protocol";
import { parseStored } from "./damage.js";
import { topOf } from "./rising-ids.js";
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

/** Forgetting is done for so many at once: each time all that is remembered is looked through. */
const FORGOTTEN_AT_ONCE = 512;

/** So many generated commit ids are kept in the session's row. */
const NEWEST_KEPT = 16;

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
    const counted = { ...base, n: base.n + added.length, count: base.count + added.length };
    return counted.count > retention.count + FORGOTTEN_AT_ONCE
      ? this.#forgotten(kind, counted, retention)
      : counted;
  }

  writeCommits(window: CommitWindow, before: Before): Before {
    return {
      commits: this.write("commit", window.given, before.commits, GIVEN_COMMITS),
      generated: this.#writeGenerated(window, before.generated, GENERATED_COMMITS),
    };
  }

  #writeGenerated(window: CommitWindow, before: CountedGenerated, retention: Retention): CountedGenerated {
    const { source, added } = memoryLayersOf(window.generated);
    if (source === undefined && before.count > 0) this.#statements.deleteGenerated.run(this.#key);
    const base = source === undefined ? { ...NOTHING_GENERATED, n: before.n } : before;
    if (added.length === 0) return base;
    const newest = [...base.newest, ...added.map(entryOf)];
    const counted = {
      n: base.n + added.length,
      count: base.count + added.length,
      horizon: base.horizon,
      top: added.reduce((highest, { id }) => topOf(highest, id), base.top),
      newest,
    };
    return newest.length < NEWEST_KEPT ? counted : this.#moved(counted, retention);
  }

  /** Puts the newest ones into the table. */
  #moved(counted: CountedGenerated, retention: Retention): CountedGenerated {
    const { newest, n } = counted;
    const ids = newest.map(([id]) => Buffer.from(id)).sort(Buffer.compare);
    const [first = "", last = ""] = [ids[0]?.toString(), ids.at(-1)?.toString()];
    this.#statements.addGenerated.run(this.#key, last, first, n, JSON.stringify(newest));
    const moved = { ...counted, newest: [] };
    return moved.count > retention.count + FORGOTTEN_AT_ONCE
      ? this.#forgottenGenerated(moved, retention)
      : moved;
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
    return { ...counted, count: counted.count - changes, horizon: Math.max(counted.horizon, newest) };
  }

  #forgottenGenerated(counted: CountedGenerated, { count }: Retention): CountedGenerated {
    const before = counted.n - count;
    const entries = this.#statements.generatedBefore
      .all(this.#key, before)
      .flatMap((block) => parseStored<readonly GeneratedEntry[]>(block, `generated of session ${this.#key}`));
    this.#statements.forgetGenerated.run(this.#key, before);
    const horizon = entries.reduce((newest, [, , at]) => Math.max(newest, at), counted.horizon);
    return { ...counted, count: counted.count - entries.length, horizon };
  }
}

function entryOf({ id, revision, at, skipped }: CommitMemory): GeneratedEntry {
  return skipped === undefined ? [id, revision, at] : [id, revision, at, skipped];
}
