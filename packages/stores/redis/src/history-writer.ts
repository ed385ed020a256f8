import { type ExtendOperation, frozen, type History, type Message } from "@sessions/protocol/backend";
import {
  type HistoryChanges,
  historyChangesOf,
  type Run,
  RunBuilder,
  Runs,
  runAt,
  runsToMerge,
} from "@sessions/row-engine";
import { Missing } from "./missing.js";
import { RowSource } from "./row-source.js";
import type { Provenance, RowTable } from "./row-table.js";
import { extensionLine, rowText, type StoredMessage } from "./row-text.js";
import type { StagedMessages } from "./staged.js";

/** What a history writer is given. */
export interface WriterStart {
  readonly nextRow: number;
  /** What is in memory of the rows; absent for a new life. */
  readonly table?: RowTable | undefined;
  /** The version of the small state that drafts were read with. */
  readonly version: string;
  /** Rows that the session and its snapshots held: only those are used again. */
  readonly held: readonly Run[];
  /** Rows that its snapshots hold: those are never changed. */
  readonly shared: readonly Run[];
  readonly extensions: ReadonlyMap<string, readonly ExtendOperation[]>;
  readonly staged?: StagedMessages | undefined;
  /** The time of the commit. */
  readonly at: number;
}

/** A row that is written. */
export interface WrittenRow {
  readonly row: number;
  readonly stored: StoredMessage;
  readonly text: string;
  /** It was there before, as a draft. */
  readonly isRewritten: boolean;
}

/** A draft that grows. */
export interface GrownRow {
  readonly row: number;
  readonly stored: StoredMessage;
  readonly lines: readonly string[];
}

/**
 * Places the histories of one session: what is in rows already as runs of them, new and changed messages as new rows. Only
 * a message that is still being written is changed where it stands.
 */
export class HistoryWriter {
  readonly #start: WriterStart;
  readonly #shared: Run[];
  #nextRow: number;
  readonly written: WrittenRow[] = [];
  readonly grown: GrownRow[] = [];
  /** A snapshot and the session after it hold the same messages. */
  readonly #placedRows = new Map<Message, Provenance>();

  constructor(start: WriterStart) {
    this.#start = start;
    this.#shared = [...start.shared];
    this.#nextRow = start.nextRow;
  }

  get nextRow(): number {
    return this.#nextRow;
  }

  /** The runs of a snapshot. */
  placeSnapshot(history: History): Runs {
    const runs = this.#placed(history, historyChangesOf(history));
    this.#shared.push(...runs.list);
    return runs;
  }

  /** The runs of a history. Throws `Missing` for what has to be read first. */
  place(history: History): Runs {
    return this.#merged(this.#placed(history, historyChangesOf(history)));
  }

  #placed(history: History, { source, kept, replaced, added, revisions }: HistoryChanges): Runs {
    let runs = source instanceof RowSource ? source.runs.slice(0, kept) : Runs.EMPTY;
    for (const { position, message } of replaced)
      runs = this.#replaced(runs, position, message, history.revisions.get(position) ?? 0);
    if (added.length === 0) return runs;
    const builder = new RunBuilder();
    added.forEach((message, index) => void this.#add(message, revisions[index] ?? 0, builder));
    return runs.concat(builder.finish());
  }

  #replaced(runs: Runs, position: number, message: Message, revision: number): Runs {
    const placed = this.#placedRows.get(message);
    if (placed !== undefined) return runs.replace(position, runAt(placed, revision));
    const before = runs.at(position)?.row ?? -1;
    if (this.#start.table?.isDraft(before) !== true || isIn(this.#shared, before)) {
      const row = this.#insert(message, revision);
      return runs.replace(position, { from: row, to: row + 1 });
    }
    this.#rewrite(before, message);
    return runs;
  }

  #add(message: Message, revision: number, builder: RunBuilder): void {
    const known = this.#known(message);
    if (known === undefined) builder.add(this.#insert(message, revision), undefined);
    else builder.add(known.row, known.revision === revision ? undefined : revision);
  }

  /** Where a message is already, and the revision that its row says. */
  #known(message: Message): Provenance | undefined {
    const { staged, table, held } = this.#start;
    const placed = this.#placedRows.get(message);
    if (placed !== undefined) return placed;
    const known = staged?.find(message) ?? table?.provenanceOf(message);
    const isStaged = known !== undefined && "message" in known;
    return isStaged || (known !== undefined && isIn(held, known.row)) ? known : undefined;
  }

  #insert(message: Message, revision: number): number {
    const row = this.#nextRow++;
    this.#placedRows.set(message, { row, revision });
    const stored = { message: frozen(message), revision };
    this.written.push({ row, stored, text: rowText(message, revision, this.#start.at), isRewritten: false });
    return row;
  }

  #rewrite(row: number, message: Message): void {
    const revision = this.#stored(row)?.revision ?? 0;
    const stored = { message: frozen(message), revision };
    this.#placedRows.set(message, { row, revision });
    const extensions = this.#start.extensions.get(message.id);
    if (extensions !== undefined && message.status === "partial")
      this.grown.push({ row, stored, lines: extensions.map(extensionLine) });
    else
      this.written.push({ row, stored, text: rowText(message, revision, this.#start.at), isRewritten: true });
  }

  #stored(row: number): StoredMessage | undefined {
    return this.#start.table?.get(row, this.#start.version);
  }

  /** Some runs written anew as one, if there are too many. */
  #merged(runs: Runs): Runs {
    // Rows that were written ahead are not in memory.
    const window = this.#start.staged === undefined ? runsToMerge(runs.list) : undefined;
    if (window === undefined) return runs;
    const { list } = runs;
    const builder = new RunBuilder();
    for (const run of list.slice(window.from, window.to)) this.#copy(run, builder);
    return new Runs(list.slice(0, window.from)).concat(builder.finish()).concat(list.slice(window.to));
  }

  #copy(run: Run, builder: RunBuilder): void {
    const own = new Map(this.written.map(({ row, stored }) => [row, stored]));
    const rows = new Runs([run]).rows();
    const missing = rows.filter((row) => !own.has(row) && this.#stored(row) === undefined);
    if (missing.length > 0) throw new Missing({ rows: missing });
    for (const row of rows) {
      const stored = own.get(row) ?? this.#stored(row);
      if (stored === undefined) continue;
      // Drafts stay where they are: who extends one must find it there.
      const isMovable = stored.message.status !== "partial";
      builder.add(isMovable ? this.#insert(stored.message, run.revision ?? stored.revision) : row, undefined);
    }
  }
}

function isIn(runs: readonly Run[], row: number): boolean {
  return runs.some(({ from, to }) => row >= from && row < to);
}
