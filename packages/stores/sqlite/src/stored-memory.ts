import type { CommitMemory, MemorySource, Remembered } from "@sessions/protocol/backend";
import { Damage, parseStored } from "@sessions/protocol/backend";
import { isBeyondTop } from "./rising-ids.js";
import type { Statements } from "./statements.js";

/** How much is remembered: kept in the session's row. */
export interface Counted {
  /** How many were ever remembered: the number of the next one. */
  readonly n: number;
  /** How many of them may still be there. */
  readonly count: number;
  readonly horizon: number;
  /** How many are in the table: one that is gone is noticed. Absent where it was written before this was counted. */
  readonly rows?: number | undefined;
}

export const NOTHING_COUNTED: Counted = { n: 0, count: 0, horizon: 0, rows: 0 };

/** What a session remembers by ids that others chose: callers' commits, finished turns. */
export type MemoryKind = "commit" | "turn";

/** The memories of one kind. */
export class StoredMemory<Entry extends Remembered> implements MemorySource<Entry> {
  readonly #statements: Statements;
  readonly #key: number;
  readonly #kind: MemoryKind;
  readonly counted: Counted;

  constructor(statements: Statements, key: number, kind: MemoryKind, counted: Counted) {
    this.#statements = statements;
    this.#key = key;
    this.#kind = kind;
    this.counted = counted;
  }

  get horizon(): number {
    return this.counted.horizon;
  }

  get(id: string): Entry | undefined {
    if (this.counted.count === 0) return undefined;
    const row = this.#statements.memory.get(this.#key, this.#kind, id);
    return row === undefined ? undefined : parseStored(row.body, this.#location);
  }

  entries(): readonly Entry[] {
    const rows = this.#statements.memories.all(this.#key, this.#kind);
    const { rows: count = rows.length } = this.counted;
    if (rows.length !== count)
      throw new Damage(this.#location, `have ${rows.length} rows (${this.#kind}) instead of ${count}`);
    return rows.map(({ body }) => parseStored<Entry>(body, this.#location));
  }

  get #location(): string {
    return `memories of session ${this.#key}`;
  }
}

/** How many generated commit ids are remembered, the greatest of them, and the newest. */
export interface CountedGenerated extends Counted {
  readonly top: string;
  /** Not in the table yet: a few at a time are moved there, so that most commits do not touch it. */
  readonly newest: readonly GeneratedEntry[];
}

export const NOTHING_GENERATED: CountedGenerated = { ...NOTHING_COUNTED, top: "", newest: [] };

/** `[id, revision, at, skipped]` */
export type GeneratedEntry = readonly [string, number, number, (readonly string[])?];

/** Generated commit ids. */
export class StoredGenerated implements MemorySource<CommitMemory> {
  readonly #statements: Statements;
  readonly #key: number;
  readonly counted: CountedGenerated;

  constructor(statements: Statements, key: number, counted: CountedGenerated) {
    this.#statements = statements;
    this.#key = key;
    this.counted = counted;
  }

  get horizon(): number {
    return this.counted.horizon;
  }

  get(id: string): CommitMemory | undefined {
    if (isBeyondTop(id, this.counted.top)) return undefined;
    const newest = this.counted.newest.find((entry) => entry[0] === id);
    if (newest !== undefined) return memoryOf(newest);
    return this.#read(this.#statements.generatedAround.all(this.#key, id, id)).find(
      (entry) => entry.id === id,
    );
  }

  entries(): readonly CommitMemory[] {
    return [...this.#read(this.#statements.generated.all(this.#key)), ...this.counted.newest.map(memoryOf)];
  }

  #read(blocks: readonly string[]): readonly CommitMemory[] {
    return blocks.flatMap((block) =>
      parseStored<readonly GeneratedEntry[]>(block, `generated of session ${this.#key}`).map(memoryOf),
    );
  }
}

function memoryOf([id, revision, at, skipped]: GeneratedEntry): CommitMemory {
  return { id, revision, at, ...(skipped === undefined ? {} : { skipped }) };
}
