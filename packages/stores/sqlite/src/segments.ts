import { logOf } from "./row-number.js";

/** A run of rows, `from` up to and without `to`. With `revision`, that counts instead of what the rows say. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly revision?: number;
}

/**
 * A history as runs of rows, in the order of its messages. Snapshots, forks and archives are other lists of the same
 * rows, so that none of them copies a message.
 */
export class Segments {
  static readonly EMPTY: Segments = new Segments([]);
  readonly list: readonly Segment[];
  readonly length: number;

  constructor(list: readonly Segment[]) {
    this.list = list;
    this.length = list.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** The logs that its rows are in. */
  get logs(): ReadonlySet<number> {
    return new Set(this.list.map(({ from }) => logOf(from)));
  }

  /** The segment and the row at a position. */
  at(position: number): { readonly row: number; readonly segment: Segment } | undefined {
    let before = 0;
    for (const segment of this.list) {
      const row = segment.from + position - before;
      if (row < segment.to) return { row, segment };
      before += segment.to - segment.from;
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

  /** The positions `from` up to and without `to`. */
  slice(from: number, to: number): Segments {
    if (from <= 0 && to >= this.length) return this;
    const list: Segment[] = [];
    let before = 0;
    for (const segment of this.list) {
      const first = Math.max(segment.from, segment.from + from - before);
      const last = Math.min(segment.to, segment.from + to - before);
      if (first < last) list.push({ ...segment, from: first, to: last });
      before += segment.to - segment.from;
    }
    return new Segments(list);
  }

  /** With these at the end. Runs that go on where the last one ends become one. */
  concat(more: readonly Segment[]): Segments {
    const list = [...this.list];
    for (const segment of more) {
      const last = list.at(-1);
      const goesOn =
        last !== undefined &&
        last.to === segment.from &&
        last.revision === segment.revision &&
        sameLog(last, segment);
      if (goesOn) list[list.length - 1] = { ...last, to: segment.to };
      else if (segment.from < segment.to) list.push(segment);
    }
    return new Segments(list);
  }

  /** With another row at a position. */
  replace(position: number, segment: Segment): Segments {
    return this.slice(0, position)
      .concat([segment])
      .concat(this.slice(position + 1, this.length).list);
  }

  equals(other: Segments): boolean {
    const { list } = this;
    return (
      list.length === other.list.length && list.every((segment, index) => isSame(segment, other.list[index]))
    );
  }

  /** With one row more, which goes on where its last run ends. */
  grown(): Segments {
    const list = [...this.list];
    const last = list.pop();
    if (last !== undefined) list.push({ from: last.from, to: last.to + 1 });
    return new Segments(list);
  }

  /** As it is written: `[[from, to], [from, to, revision]]`. */
  toJson(): readonly (readonly number[])[] {
    return this.list.map(({ from, to, revision }) =>
      revision === undefined ? [from, to] : [from, to, revision],
    );
  }

  /** The same as text. Nearly every commit writes it, and it is nearly always one run. */
  toText(): string {
    const runs: string[] = [];
    for (const { from, to, revision } of this.list)
      runs.push(revision === undefined ? `[${from},${to}]` : `[${from},${to},${revision}]`);
    return `[${runs.join(",")}]`;
  }

  static fromJson(runs: readonly (readonly number[])[]): Segments {
    return new Segments(
      runs.map(([from = 0, to = 0, revision]) =>
        revision === undefined ? { from, to } : { from, to, revision },
      ),
    );
  }
}

/** Makes runs of rows that come one by one. */
export class RunBuilder {
  readonly runs: Segment[] = [];
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

  finish(): readonly Segment[] {
    const run = { from: this.#from, to: this.#to };
    if (run.from < run.to)
      this.runs.push(this.#revision === undefined ? run : { ...run, revision: this.#revision });
    this.#from = this.#to;
    return this.runs;
  }
}

function isSame(a: Segment, b: Segment | undefined): boolean {
  return a.from === b?.from && a.to === b.to && a.revision === b.revision;
}

function sameLog(a: Segment, b: Segment): boolean {
  return logOf(a.from) === logOf(b.from);
}
