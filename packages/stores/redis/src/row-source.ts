import type { Message } from "@sessions/protocol/backend";
import type { HistorySource } from "@sessions/row-engine";
import { type Run, Runs } from "@sessions/row-engine";
import { Missing } from "./missing.js";
import type { RowTable } from "./row-table.js";
import type { StoredMessage } from "./row-text.js";

/** What a history asks of the moment that it was read in. */
export interface RowMoment {
  readonly table: RowTable;
  /** The version of the small state, which drafts are asked for with. */
  readonly version: string;
  /** The rows whose message has this id. Throws `Missing`. */
  rowsOfId(id: string): readonly number[];
}

/** A history as rows hold it. What is not in memory is thrown for, as `Missing`. */
export class RowSource implements HistorySource {
  readonly runs: Runs;
  readonly #moment: RowMoment;

  constructor(runs: Runs, moment: RowMoment) {
    this.runs = runs;
    this.#moment = moment;
  }

  get length(): number {
    return this.runs.length;
  }

  message(position: number): Message | undefined {
    const at = this.runs.at(position);
    return at === undefined ? undefined : this.#one(at.row).message;
  }

  revision(position: number): number | undefined {
    const at = this.runs.at(position);
    return at === undefined ? undefined : (at.run.revision ?? this.#one(at.row).revision);
  }

  messages(from: number, to: number): Message[] {
    return this.#many(this.runs.slice(from, to)).map(({ message }) => message);
  }

  revisions(from: number, to: number): number[] {
    return this.runs.slice(from, to).list.flatMap((run) => this.#revisionsOf(run));
  }

  positionOf(id: string): number | undefined {
    const { table } = this.#moment;
    return this.#firstHeld(table.rowsOf(id)) ?? this.#firstHeld(this.#moment.rowsOfId(id));
  }

  #firstHeld(rows: Iterable<number>): number | undefined {
    for (const row of rows) {
      const position = this.runs.positionOf(row);
      if (position !== undefined) return position;
    }
    return undefined;
  }

  #one(row: number): StoredMessage {
    const stored = this.#moment.table.get(row, this.#moment.version);
    if (stored === undefined) throw new Missing({ rows: [row] });
    return stored;
  }

  #many(runs: Runs): readonly StoredMessage[] {
    return this.#moment.table.all(runs, this.#moment.version);
  }

  #revisionsOf(run: Run): readonly number[] {
    const { from, to, revision } = run;
    if (revision !== undefined) return new Array<number>(to - from).fill(revision);
    return this.#many(new Runs([run])).map((stored) => stored.revision);
  }
}
