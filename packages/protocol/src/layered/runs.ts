/** A run of rows of a table of messages, `from` up to and without `to`. With `revision`, that counts instead of what the rows say. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly revision?: number;
}

/** A row that says a revision. */
export interface RevisedRow {
  readonly row: number;
  readonly revision: number;
}

/** One row as a run, for a message that has this revision whatever its row says. */
export function runAt({ row, revision: told }: RevisedRow, revision: number): Run {
  const run = { from: row, to: row + 1 };
  return told === revision ? run : { ...run, revision };
}

/**
 * A history as runs of rows, in the order of its messages. Snapshots, forks and archives are other lists of the same
 * rows, so that none of them copies a message.
 */
export class Runs {
  /** No rows. */
  static readonly EMPTY: Runs = new Runs([]);
  /** In the order of the messages. */
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

  /** Where a row stands, if it is one of these. */
  positionOf(row: number): number | undefined {
    let before = 0;
    for (const { from, to } of this.list) {
      if (row >= from && row < to) return before + row - from;
      before += to - from;
    }
    return undefined;
  }

  /** Whether a row is one of these. */
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

  /** With these at the end. Runs that go on where the last one ends become one. */
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

  /** With one row more, which goes on where its last run ends. */
  grown(): Runs {
    const list = [...this.list];
    const last = list.pop();
    if (last !== undefined) list.push({ from: last.from, to: last.to + 1 });
    return new Runs(list);
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

  /** As it is written: `[[from, to], [from, to, revision]]`. */
  toJson(): readonly (readonly number[])[] {
    return this.list.map(({ from, to, revision }) =>
      revision === undefined ? [from, to] : [from, to, revision],
    );
  }

  /** The same as text. Nearly every commit writes it, and it is nearly always one run. */
  toText(): string {
    let runs = "";
    for (const { from, to, revision } of this.list) {
      if (runs !== "") runs += ",";
      runs += revision === undefined ? `[${from},${to}]` : `[${from},${to},${revision}]`;
    }
    return `[${runs}]`;
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
