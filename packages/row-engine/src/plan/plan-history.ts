import { type ExtendOperation, frozen, type History, type Message } from "@sessions/protocol/backend";
import { type HistoryChanges, historyChangesOf } from "../history/row-history.js";
import { RowSource } from "../history/row-source.js";
import { type MessageRow, type Run, RunBuilder, Runs, runAt } from "../runs/runs.js";
import { runsToMerge } from "../runs/runs-to-merge.js";
import { maxIdOf } from "../session/max-id.js";
import type { SessionRows } from "../session/session-rows.js";
import type { StoredMessage } from "../session/stored-message.js";
import type { ExtensionWrite, MessageWrite } from "./write-plan.js";

/** What the histories of a session are planned with. */
export interface HistoryContext {
  readonly rows: SessionRows;
  readonly nextRow: number;
  readonly maxId: string;
  /** The rows of its drafts, and how many extensions each has. */
  readonly drafts: ReadonlyMap<number, number>;
  /** The rows of its snapshots: a draft among them stays as it is. */
  readonly snapshots: readonly Runs[];
  /** The row that holds this very message, if the session may refer to it. */
  readonly rowOf: (message: Message) => MessageRow | undefined;
  /** The extensions of a draft, if nothing else has changed it. */
  readonly extensionsOf: (messageId: string) => readonly ExtendOperation[] | undefined;
  /** The revision of the last commit. */
  readonly revision: number;
}

/**
 * Plans the rows of a session's histories. A message that is stored is referred to, any other becomes a new row. Rows never
 * change, except those of drafts.
 */
export class HistoryPlanner {
  readonly #context: HistoryContext;
  readonly #snapshots: Runs[];
  readonly #drafts: Map<number, number>;
  /** What was planned already: a snapshot and the session after it hold the same messages. */
  readonly #planned = new Map<Message, MessageRow>();
  /** The rows that this plan writes: what is stored of them is not what they will be. */
  readonly #writtenRows = new Set<number>();
  readonly inserts: MessageWrite[] = [];
  readonly rewrites: MessageWrite[] = [];
  readonly extensions: ExtensionWrite[] = [];
  /** The drafts that are written, as they are afterwards. */
  readonly writtenDrafts: Map<number, StoredMessage> = new Map();
  #nextRow: number;
  #maxId: string;

  constructor(context: HistoryContext) {
    this.#context = context;
    this.#snapshots = [...context.snapshots];
    this.#drafts = new Map(context.drafts);
    this.#nextRow = context.nextRow;
    this.#maxId = context.maxId;
  }

  get nextRow(): number {
    return this.#nextRow;
  }

  get maxId(): string {
    return this.#maxId;
  }

  /** The drafts among these rows. */
  draftsIn(runs: readonly Runs[]): ReadonlyMap<number, number> {
    for (const row of this.#drafts.keys()) if (!runs.some((one) => one.has(row))) this.#drafts.delete(row);
    return this.#drafts;
  }

  /** The rows of a new snapshot. */
  planSnapshot(history: History): Runs {
    const runs = this.#plan(history, historyChangesOf(history));
    this.#snapshots.push(runs);
    return runs;
  }

  /** The rows of the session. */
  planHead(history: History): Runs {
    return this.#merge(this.#plan(history, historyChangesOf(history)));
  }

  #plan(history: History, { source, kept, replaced, added, revisions }: HistoryChanges): Runs {
    let runs = source instanceof RowSource ? source.runs.slice(0, kept) : Runs.EMPTY;
    for (const { position, message } of replaced)
      runs = this.#replace(runs, position, message, history.revisions.get(position) ?? 0);
    if (added.length === 0) return runs;
    const builder = new RunBuilder();
    for (const [index, message] of added.entries()) this.#add(message, revisions[index] ?? 0, builder);
    return runs.concat(builder.finish());
  }

  #replace(runs: Runs, position: number, message: Message, revision: number): Runs {
    const planned = this.#planned.get(message);
    if (planned !== undefined) return runs.replace(position, runAt(planned, revision));
    const row = runs.at(position)?.row ?? -1;
    if (!this.#drafts.has(row) || this.#snapshots.some((snapshot) => snapshot.has(row)))
      return runs.replace(position, runAt({ row: this.#insert(message, revision), revision }, revision));
    this.#changeDraft(row, message);
    return runs;
  }

  #changeDraft(row: number, message: Message): void {
    const { revision } = this.#context.rows.message(row);
    const ops = this.#context.extensionsOf(message.id);
    this.#planned.set(message, { row, revision });
    const isDraft = message.status === "partial";
    if (isDraft) this.writtenDrafts.set(row, { message: frozen(message), revision });
    if (isDraft && ops !== undefined) this.#extend(row, ops);
    else {
      this.rewrites.push({ row, message: frozen(message), revision });
      this.#writtenRows.add(row);
      this.#setDraft(row, isDraft);
    }
  }

  #extend(row: number, ops: readonly ExtendOperation[]): void {
    let n = this.#drafts.get(row) ?? 0;
    for (const op of ops) this.extensions.push({ row, n: n++, revision: this.#context.revision, op });
    this.#drafts.set(row, n);
  }

  #setDraft(row: number, isDraft: boolean): void {
    if (isDraft) this.#drafts.set(row, 0);
    else this.#drafts.delete(row);
  }

  #add(message: Message, revision: number, builder: RunBuilder): void {
    const stored = this.#planned.get(message) ?? this.#context.rowOf(message);
    if (stored === undefined) builder.add(this.#insert(message, revision), undefined);
    else {
      this.#maxId = maxIdOf(this.#maxId, message.id);
      builder.add(stored.row, stored.revision === revision ? undefined : revision);
    }
  }

  #insert(message: Message, revision: number): number {
    const row = this.#nextRow++;
    this.inserts.push({ row, message: frozen(message), revision });
    this.#writtenRows.add(row);
    this.#planned.set(message, { row, revision });
    this.#maxId = maxIdOf(this.#maxId, message.id);
    if (message.status === "partial") {
      this.#setDraft(row, true);
      this.writtenDrafts.set(row, { message, revision });
    }
    return row;
  }

  /** Copies some runs into one if there are too many. */
  #merge(runs: Runs): Runs {
    const window = runsToMerge(runs.list);
    if (window === undefined) return runs;
    const { list } = runs;
    const builder = new RunBuilder();
    for (const run of list.slice(window.from, window.to)) this.#copy(run, builder);
    return new Runs(list.slice(0, window.from)).concat(builder.finish()).concat(list.slice(window.to));
  }

  /** Drafts stay where they are, because their extensions are stored with their row; so do the rows that this plan writes. */
  #copy({ from, to, revision }: Run, builder: RunBuilder): void {
    for (let row = from; row < to; row++) {
      if (this.#drafts.has(row) || this.#writtenRows.has(row)) builder.add(row, revision);
      else {
        const stored = this.#context.rows.message(row);
        builder.add(this.#insert(stored.message, revision ?? stored.revision), undefined);
      }
    }
  }
}
