/** Consecutive rows of messages, `from` up to and without `to`. A `revision` counts instead of those that the rows have. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly revision?: number;
}

/** Where a message is stored. */
export interface MessageRow {
  readonly row: number;
  /** The revision that is stored with it. */
  readonly revision: number;
}

/** One row as a run, for a message that was added by `revision`, whatever its row says. */
export function runAt({ row, revision: stored }: MessageRow, revision: number): Run {
  const run = { from: row, to: row + 1 };
  return stored === revision ? run : { ...run, revision };
}

/**
 * A history as runs of rows, in the order of its messages. Snapshots, forks and archives are other lists of the same rows,
 * so none of them copies a message.
 */
export class Runs {
  static readonly EMPTY: Runs = new Runs([]);
  readonly list: readonly Run[];
  /** How many rows there are. */
  readonly length: number;

  constructor(list: readonly Run[]) {
    this.list = list;
    let length = 0;
    for (const { from, to } of list) length += to - from;
    this.length = length;
  }

  /** The run and the row at a position. */
  at(position: number): { readonly row: number; readonly run: Run } | undefined {
    let before = 0;
    for (const run of this.list) {
      const row = run.from + position - before;
      if (row < run.to) return { row, run };
      before += run.to - run.from;
    }
    return undefined;
  }

  positionOf(row: number): number | undefined {
    let before = 0;
    for (const { from, to } of this.list) {
      if (row >= from && row < to) return before + row - from;
      before += to - from;
    }
    return undefined;
  }

  has(row: number): boolean {
    return this.list.some(({ from, to }) => row >= from && row < to);
  }

  /** The positions `from` up to and without `to`. */
  slice(from: number, to: number): Runs {
    if (from <= 0 && to >= this.length) return this;
    const list: Run[] = [];
    let before = 0;
    for (const run of this.list) {
      const first = Math.max(run.from, run.from + from - before);
      const last = Math.min(run.to, run.from + to - before);
      if (first < last) list.push({ ...run, from: first, to: last });
      before += run.to - run.from;
    }
    return new Runs(list);
  }

  /** With more at the end. A run that continues the last one becomes part of it. */
  concat(more: readonly Run[]): Runs {
    const list = [...this.list];
    for (const run of more) {
      const last = list.at(-1);
      if (last !== undefined && last.to === run.from && last.revision === run.revision)
        list[list.length - 1] = { ...last, to: run.to };
      else if (run.from < run.to) list.push(run);
    }
    return new Runs(list);
  }

  /** With another run at a position. */
  replace(position: number, run: Run): Runs {
    return this.slice(0, position)
      .concat([run])
      .concat(this.slice(position + 1, this.length).list);
  }

  /** Whether the other has the same rows in the same order. */
  equals(other: Runs): boolean {
    const { list } = this;
    return list.length === other.list.length && list.every((run, index) => isSame(run, other.list[index]));
  }

  /** Its rows, one by one. */
  rows(): readonly number[] {
    return this.list.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index));
  }

  /** As it is stored: `[[from, to], [from, to, revision]]`. */
  toJson(): readonly (readonly number[])[] {
    return this.list.map(({ from, to, revision }) =>
      revision === undefined ? [from, to] : [from, to, revision],
    );
  }

  /** The same for a history that grows with the session's rows: its last run has no end. */
  toOpenJson(nextRow: number): readonly (readonly number[])[] {
    const last = this.list.at(-1);
    const grows = last !== undefined && last.to === nextRow && last.revision === undefined;
    const closed = grows ? this.slice(0, this.length - (last.to - last.from)) : this;
    return [...closed.toJson(), [grows ? last.from : nextRow]];
  }

  /** A run without an end ends at `nextRow`. */
  static fromJson(runs: readonly (readonly number[])[], nextRow = 0): Runs {
    const list = runs.map(([from = 0, to = nextRow, revision]) =>
      revision === undefined ? { from, to } : { from, to, revision },
    );
    return new Runs(list.filter(({ from, to }) => from < to));
  }
}

function isSame(a: Run, b: Run | undefined): boolean {
  return a.from === b?.from && a.to === b.to && a.revision === b.revision;
}

/** Puts rows that come one by one together to runs. */
export class RunBuilder {
  readonly #runs: Run[] = [];
  #from = 0;
  #to = 0;
  #revision: number | undefined;

  add(row: number, revision: number | undefined): void {
    if (row !== this.#to || revision !== this.#revision) {
      this.finish();
      this.#from = row;
      this.#revision = revision;
    }
    this.#to = row + 1;
  }

  /** All that were added. */
  finish(): readonly Run[] {
    const run = { from: this.#from, to: this.#to };
    if (run.from < run.to)
      this.#runs.push(this.#revision === undefined ? run : { ...run, revision: this.#revision });
    this.#from = this.#to;
    return this.#runs;
  }
}
