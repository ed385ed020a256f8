import type { Run, Runs } from "@sessions/protocol/backend";
import { frozen, type Message } from "@sessions/protocol/backend";
import { logOf } from "./row-number.js";
import { type AppendedMessage, type Provenance, type StoredMessage, storedAs } from "./stored-message.js";

/** What is in memory of one log. */
interface LogRows {
  layout: number;
  /** Rows that change only with the layout. */
  readonly rows: Map<number, StoredMessage>;
  /** The same, as long as nobody has asked for them. To remember whose each is would cost every append. */
  readonly fresh: Map<number, StoredMessage | AppendedMessage>;
  /** Messages that are still being written: they change with any commit of their session. */
  readonly drafts: Map<number, StoredMessage>;
  /** What this store has changed lately. */
  readonly changes: Change[];
  size: number;
}

/** Rows that were changed, or are gone, from a layout on. */
interface Change {
  readonly layout: number;
  readonly runs: readonly Run[];
}

/** Who gives back a message after more changes than this has it written again. */
const CHANGES_KEPT = 64;

/**
 * Messages that were read or written, so that reading them again costs nothing and gives the very same objects. Bounded by
 * the length of their JSON; the log that was used longest ago goes first.
 */
export class RowCache {
  readonly #limit: number;
  readonly #logs = new Map<number, LogRows>();
  readonly #provenance = new WeakMap<Message, Provenance>();
  #size = 0;
  #holds = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(row: number): StoredMessage | undefined {
    const log = this.#logs.get(logOf(row));
    return log === undefined ? undefined : this.#found(log, row);
  }

  /** Those of some rows that are here, in order, and how many are not. */
  collect({ list }: Runs): { readonly stored: readonly StoredMessage[]; readonly missing: number } {
    const stored: StoredMessage[] = [];
    let missing = 0;
    for (const { from, to } of list) {
      const log = this.#logs.get(logOf(from));
      for (let row = from; row < to; row++) {
        const found = log === undefined ? undefined : this.#found(log, row);
        if (found === undefined) missing++;
        else stored.push(found);
      }
    }
    return { stored, missing };
  }

  /** A row that was read, and is handed out. */
  put(row: number, stored: StoredMessage, size: number): void {
    const log = this.#log(logOf(row));
    if (isDraft(stored)) log.drafts.set(row, stored);
    else {
      this.#grow(log, size);
      this.#handOut(log, row, stored);
    }
  }

  /** A row that was written. Nobody has seen it, so nobody can give it back, and it is frozen when somebody does. */
  wrote(row: number, stored: StoredMessage, size: number): void {
    const log = this.#log(logOf(row));
    if (isDraft(stored)) log.drafts.set(row, { ...stored, message: frozen(stored.message) });
    else {
      this.#grow(log, size);
      log.drafts.delete(row);
      log.rows.delete(row);
      log.fresh.set(row, stored);
    }
  }

  /** The same of a row that is new. */
  appended(row: number, appended: AppendedMessage, size: number): void {
    const log = this.#log(logOf(row));
    this.#grow(log, size);
    log.fresh.set(row, appended);
  }

  /** Whether a message was read from the table or written to it. */
  isKnown(message: Message): boolean {
    return this.#provenance.has(message);
  }

  /** Where a message stands, if it stands there still; `layoutOf` says how logs are laid out now. */
  provenanceOf(message: Message, layoutOf: (log: number) => number | undefined): Provenance | undefined {
    const known = this.#provenance.get(message);
    if (known === undefined) return undefined;
    const log = logOf(known.row);
    const layout = layoutOf(log);
    if (known.layout === layout) return known;
    const changes = this.#logs.get(log)?.changes ?? [];
    const since = changes.filter((change) => change.layout > known.layout);
    // Every step from that layout to this one must be known: others may have changed the row.
    const isKnown = layout !== undefined && since.length === layout - known.layout;
    return isKnown && !since.some((change) => touches(change, known.row)) ? known : undefined;
  }

  /** Says how a log is laid out now, and whether its session has changed since this was said last. */
  validate(log: number, layout: number, unchanged: boolean): void {
    const known = this.#logs.get(log);
    if (known?.layout === layout) {
      if (!unchanged) known.drafts.clear();
      this.#logs.delete(log); // to the end: it was used last
      this.#logs.set(log, known);
    } else {
      if (known !== undefined) this.#forget(log, known);
      this.#logs.set(log, emptyLog(layout));
    }
  }

  /** The same rows under another layout, but for those that this store has changed. */
  relayout(log: number, layout: number, runs: readonly Run[]): void {
    const known = this.#log(log);
    known.layout = layout;
    known.changes.push({ layout, runs });
    if (known.changes.length > CHANGES_KEPT) known.changes.shift();
    for (const { from, to } of runs) {
      for (let row = from; row < to; row++) {
        known.rows.delete(row);
        known.fresh.delete(row);
        known.drafts.delete(row);
      }
    }
  }

  /** Nobody asks for this log any more. */
  drop(log: number): void {
    const known = this.#logs.get(log);
    if (known !== undefined) this.#forget(log, known);
  }

  /** Nothing is forgotten until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    return () => {
      this.#holds--;
      this.trim();
    };
  }

  trim(): void {
    if (this.#holds > 0 || this.#size <= this.#limit) return;
    for (const [log, known] of this.#logs) {
      if (this.#size <= this.#limit) return;
      this.#forget(log, known);
      // What is being written and what has changed is needed even where the rows are not.
      this.#logs.set(log, emptyLog(known.layout, known.drafts, known.changes));
    }
  }

  #found(log: LogRows, row: number): StoredMessage | undefined {
    const fresh = log.fresh.get(row);
    if (fresh === undefined) return log.rows.get(row) ?? log.drafts.get(row);
    log.fresh.delete(row);
    const stored = "draft" in fresh ? storedAs(fresh) : fresh;
    frozen(stored.message);
    this.#handOut(log, row, stored);
    return stored;
  }

  /** From now on it may be given back. */
  #handOut(log: LogRows, row: number, stored: StoredMessage): void {
    const { message, revision } = stored;
    log.rows.set(row, stored);
    this.#provenance.set(message, { row, revision, layout: log.layout });
  }

  #grow(log: LogRows, size: number): void {
    log.size += size;
    this.#size += size;
  }

  #log(log: number): LogRows {
    const known = this.#logs.get(log);
    if (known !== undefined) return known;
    const empty = emptyLog(0);
    this.#logs.set(log, empty);
    return empty;
  }

  #forget(log: number, known: LogRows): void {
    this.#size -= known.size;
    this.#logs.delete(log);
  }
}

function isDraft({ message }: StoredMessage): boolean {
  return message.status === "partial";
}

function emptyLog(
  layout: number,
  drafts: LogRows["drafts"] = new Map(),
  changes: LogRows["changes"] = [],
): LogRows {
  return { layout, rows: new Map(), fresh: new Map(), drafts, changes, size: 0 };
}

function touches({ runs }: Change, row: number): boolean {
  return runs.some(({ from, to }) => row >= from && row < to);
}
