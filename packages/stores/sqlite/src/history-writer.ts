import {
  type ExtendOperation,
  frozen,
  type History,
  type HistoryLayers,
  layersOf,
  type Message,
  type RevisedRow,
  type Run,
  RunBuilder,
  Runs,
  runAt,
  runsToMerge,
} from "@sessions/protocol/backend";
import { checksum } from "./checksum.js";
import { logIsFull } from "./error-mapping.js";
import type { Hints } from "./hints.js";
import { topOf } from "./rising-ids.js";
import { firstRow, isBeyond, logOf } from "./row-number.js";
import { RowSource } from "./row-source.js";
import type { StagedPlace } from "./staged.js";
import type { OwnLog, StoredSession } from "./stored-session.js";
import { indexOpenRows } from "./unindexed-rows.js";
import type { WriteContext } from "./write-context.js";

/** So many messages at the end of a log are removed at once; more are left for the sweep. */
const REMOVED_AT_ONCE = 256;

/**
 * Writes the histories of one session: new messages to the end of its log, changed ones in their place if nobody else
 * holds them, and everything that is in the table already as a run of rows.
 */
export class HistoryWriter {
  readonly #context: WriteContext;
  readonly #hints: Hints;
  readonly #log: number;
  readonly #layout: number;
  readonly #sharedBefore: number;
  #nextRow: number;
  #sharedUntil: number;
  #topId: string;
  #dirty = false;
  #hasInserted = false;
  /** Rows that were readable before and are different now. */
  readonly #changed: Run[] = [];
  /** What this writer has written: a snapshot and the session after it hold the same messages. */
  readonly #written = new Map<Message, RevisedRow>();
  readonly #drafts: Map<number, number>;
  readonly #leans = new Map<number, number>();
  readonly #layouts = new Map<number, number | undefined>();

  constructor(
    context: WriteContext,
    log: OwnLog,
    { topId, drafts }: Pick<StoredSession, "topId" | "drafts">,
    hints: Hints,
  ) {
    this.#context = context;
    this.#hints = hints;
    this.#log = log.id;
    this.#layout = log.layout;
    this.#nextRow = log.nextRow;
    this.#sharedBefore = Math.max(log.sharedUntil, context.sessions.shares.get(log.id) ?? 0);
    this.#sharedUntil = this.#sharedBefore;
    this.#topId = topId;
    this.#drafts = new Map(drafts);
  }

  get nextRow(): number {
    return this.#nextRow;
  }

  get topId(): string {
    return this.#topId;
  }

  /** Whether there may be rows now that nobody holds. */
  get isDirty(): boolean {
    return this.#dirty;
  }

  /** Other logs, and until which row they are used. */
  get leans(): ReadonlyMap<number, number> {
    return this.#leans;
  }

  /** How many fragments the rows of these runs have, where there are any. */
  draftsIn(runs: Runs): ReadonlyMap<number, number> {
    for (const row of this.#drafts.keys()) if (runs.positionOf(row) === undefined) this.#drafts.delete(row);
    return this.#drafts;
  }

  /** Writes the history of a snapshot: its rows are never changed again. */
  writeSnapshot(history: History): Runs {
    const runs = this.#placed(history, layersOf(history));
    this.#sharedUntil = Math.max(this.#sharedUntil, ...runs.list.filter(this.#isOwn).map(({ to }) => to));
    return runs;
  }

  /** Writes the messages that the session holds now. `before` is what it held. */
  writeHead(history: History, before: Runs): Runs {
    const layers = layersOf(history);
    if (!(layers.source instanceof RowSource && layers.source.runs === before))
      this.#dirty ||= before.length > 0;
    else if (layers.kept < before.length) this.#remove(before.slice(layers.kept, before.length));
    return this.#merged(this.#placed(history, layers));
  }

  /** Some rows may be held by nobody any more. */
  soil(): void {
    this.#dirty = true;
  }

  /** Writes what has become of the log. */
  finish(): OwnLog {
    const layout = this.#changed.length === 0 ? this.#layout : this.#layout + 1;
    if (layout !== this.#layout) this.#context.effects.relaid(this.#log, layout, this.#changed);
    const isChanged = layout !== this.#layout || this.#sharedUntil !== this.#sharedBefore || this.#dirty;
    if (isChanged)
      this.#context.statements.changeLog.run(layout, this.#sharedUntil, this.#dirty ? 1 : 0, this.#log);
    return { id: this.#log, nextRow: this.#nextRow, layout, sharedUntil: this.#sharedUntil };
  }

  readonly #isOwn = ({ from }: Run): boolean => logOf(from) === this.#log;

  #placed(history: History, layers: HistoryLayers): Runs {
    const { source, kept, replaced, added, revisions } = layers;
    let runs = source instanceof RowSource ? source.runs.slice(0, kept) : Runs.EMPTY;
    for (const { position, message } of replaced) {
      runs = this.#replaced(runs, position, message, history.revisions.get(position) ?? 0);
    }
    if (added.length === 0) return runs;
    const builder = new RunBuilder();
    added.forEach((message, index) => void this.#place(message, revisions[index] ?? 0, builder));
    const placed = builder.finish();
    for (const run of placed) if (!this.#isOwn(run)) this.#lean(run);
    return runs.concat(placed);
  }

  /** Some runs written anew as one, if there are too many. */
  #merged(runs: Runs): Runs {
    const window = runsToMerge(runs.list);
    if (window === undefined) return runs;
    const { list } = runs;
    const builder = new RunBuilder();
    for (const run of list.slice(window.from, window.to)) this.#copy(run, builder);
    this.#dirty = true;
    return new Runs(list.slice(0, window.from)).concat(builder.finish()).concat(list.slice(window.to));
  }

  #copy({ from, to, revision }: Run, builder: RunBuilder): void {
    for (let row = from; row < to; row++) {
      const stored = this.#context.effects.writtenAt(row) ?? this.#context.rows.one(row);
      builder.add(this.#insert(stored.message, revision ?? stored.revision), undefined);
    }
  }

  #replaced(runs: Runs, position: number, message: Message, revision: number): Runs {
    const written = this.#written.get(message);
    if (written !== undefined) return runs.replace(position, runAt(written, revision));
    const before = runs.at(position)?.row ?? 0;
    const inPlace = logOf(before) === this.#log && before >= this.#sharedUntil;
    if (inPlace) {
      this.#rewrite(before, message);
      return runs;
    }
    this.#dirty = true;
    const row = this.#insert(message, revision);
    return runs.replace(position, { from: row, to: row + 1 });
  }

  /** Where a message is, or is written now. */
  #place(message: Message, revision: number, builder: RunBuilder): void {
    const written = this.#written.get(message);
    if (written !== undefined) builder.add(written.row, otherThan(written.revision, revision));
    else if (!this.#placeStaged(message, revision, builder) && !this.#placeGiven(message, revision, builder))
      builder.add(this.#insert(message, revision), undefined);
  }

  /** A message that was read from the table, and stands there still. */
  #placeGiven(message: Message, revision: number, builder: RunBuilder): boolean {
    const known = this.#context.rows.cache.provenanceOf(message, this.#layoutOf);
    if (known === undefined || this.#isGone(known.row)) return false;
    this.#topId = topOf(this.#topId, message.id);
    builder.add(known.row, otherThan(known.revision, revision));
    return true;
  }

  #placeStaged(message: Message, revision: number, builder: RunBuilder): boolean {
    const { staged } = this.#hints;
    const found = staged?.find(message);
    if (staged === undefined || found === undefined || !this.#isThere(staged.place)) return false;
    this.#topId = topOf(this.#topId, message.id);
    builder.add(found.row, revision);
    return true;
  }

  /** If others have changed the log meanwhile, the rows are written again: they may have been swept. */
  #isThere({ log, layout, first }: StagedPlace): boolean {
    return this.#layoutOf(log) === layout && !this.#isGone(first);
  }

  #lean({ from, to }: Run): void {
    const log = logOf(from);
    this.#leans.set(log, Math.max(to, this.#leans.get(log) ?? 0));
  }

  readonly #layoutOf = (log: number): number | undefined => {
    if (log === this.#log) return this.#layout;
    if (!this.#layouts.has(log)) this.#layouts.set(log, this.#context.statements.log.get(log)?.layout);
    return this.#layouts.get(log);
  };

  #isGone(row: number): boolean {
    return this.#changed.some(({ from, to }) => row >= from && row < to);
  }

  #insert(message: Message, revision: number): number {
    if (!this.#hasInserted) indexOpenRows(this.#context.statements, this.#nextRow);
    this.#hasInserted = true;
    const row = this.#nextRow++;
    if (isBeyond(this.#log, row)) throw logIsFull();
    const body = JSON.stringify(message);
    const { id } = message;
    this.#context.statements.insertMessage.run(
      row,
      this.#log,
      id,
      revision,
      checksum(row, id, revision, body),
      body,
    );
    this.#context.search.put(row, message);
    this.#topId = topOf(this.#topId, id);
    this.#context.effects.wrote(row, { message: frozen(message), revision }, body.length);
    this.#written.set(message, { row, revision });
    return row;
  }

  #rewrite(row: number, message: Message): void {
    const before = this.#context.rows.one(row);
    const wasDraft = before.message.status === "partial";
    // Nobody keeps a draft in memory longer than its session stays the same, so its change is no change of the layout.
    if (!wasDraft) this.#changed.push({ from: row, to: row + 1 });
    const extensions = this.#hints.extensions.get(message.id);
    if (extensions !== undefined && wasDraft && message.status === "partial") this.#extend(row, extensions);
    else this.#overwrite(row, message, before.revision);
    this.#written.set(message, { row, revision: before.revision });
    this.#context.effects.wrote(row, { message: frozen(message), revision: before.revision }, 0);
  }

  #extend(row: number, extensions: readonly ExtendOperation[]): void {
    let n = this.#context.statements.nextFragment.get(row) ?? 0;
    for (const extension of extensions) {
      const op = JSON.stringify(extension);
      this.#context.statements.insertFragment.run(row, n, checksum(row, n, op), op);
      n++;
    }
    this.#drafts.set(row, n);
  }

  #overwrite(row: number, message: Message, revision: number): void {
    const body = JSON.stringify(message);
    this.#context.statements.updateMessage.run(checksum(row, message.id, revision, body), body, row);
    this.#context.statements.deleteFragments.run(row, row + 1);
    this.#drafts.delete(row);
    this.#context.search.replace(row, message);
  }

  /** The session no longer holds these. */
  #remove(dropped: Runs): void {
    const [run] = dropped.list;
    const atEnd =
      run !== undefined && dropped.list.length === 1 && run.to === this.#nextRow && this.#isOwn(run);
    if (!atEnd || run.from < this.#sharedUntil || run.to - run.from > REMOVED_AT_ONCE) {
      this.#dirty = true;
      return;
    }
    // Their places are used again, so that a history whose end is replaced over and over stays one run.
    this.#context.statements.deleteMessages.run(run.from, run.to);
    this.#context.statements.deleteFragments.run(run.from, run.to);
    this.#context.search.drop(run.from, run.to);
    this.#changed.push({ from: run.from, to: run.to });
    for (let row = run.from; row < run.to; row++) this.#drafts.delete(row);
    this.#nextRow = run.from;
  }

  /** Where a new log begins. */
  static newLog(id: number): OwnLog {
    return { id, nextRow: firstRow(id), layout: 0, sharedUntil: 0 };
  }
}

/** What a run has to say of a revision, where its rows say `stored`. */
function otherThan(stored: number, revision: number): number | undefined {
  return stored === revision ? undefined : revision;
}
