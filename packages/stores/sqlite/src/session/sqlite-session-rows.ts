import { parseStored } from "@sessions/protocol/backend";
import {
  type ForgetLimit,
  type MemoryEntries,
  type MemoryKind,
  ReadRequired,
  Runs,
  type SessionRows,
  type StoredMessage,
} from "@sessions/row-engine";
import type { MemoriesTable } from "../engine/tables/memories-table.js";
import { type MessageRows, missingRow } from "./message-rows.js";

/** More rows than this are read in slices, so that other events of the process run in between. */
const MAX_ROWS_AT_ONCE = 200;

/** What the rows of all sessions are read with. */
export interface RowTables {
  readonly messages: MessageRows;
  readonly memories: MemoriesTable;
}

/** The rows of one session, at one version of it. */
export class SqliteSessionRows implements SessionRows {
  readonly #tables: RowTables;
  readonly #key: number;
  /** The logs that it refers to. */
  readonly #logs: ReadonlySet<number>;
  /** Its drafts as they are at this version. */
  readonly drafts: Map<number, StoredMessage>;

  constructor(
    tables: RowTables,
    key: number,
    logs: ReadonlySet<number>,
    drafts: ReadonlyMap<number, StoredMessage> = new Map(),
  ) {
    this.#tables = tables;
    this.#key = key;
    this.#logs = logs;
    this.drafts = new Map(drafts);
  }

  message(row: number): StoredMessage {
    const stored = this.#cached(row) ?? this.#load(new Runs([{ from: row, to: row + 1 }])).get(row);
    if (stored === undefined) throw missingRow(row);
    return stored;
  }

  messages(runs: Runs): readonly StoredMessage[] {
    const stored: StoredMessage[] = [];
    for (const { from, to } of runs.list)
      for (let row = from; row < to; row++) {
        const found = this.#cached(row);
        if (found !== undefined) stored.push(found);
      }
    const missing = runs.length - stored.length;
    if (missing === 0) return stored;
    if (missing > MAX_ROWS_AT_ONCE) throw new ReadRequired(runs);
    const loaded = this.#load(runs);
    return runs.rows().map((row) => loaded.get(row) ?? this.message(row));
  }

  *rowsOf(messageId: string): Generator<number> {
    for (const log of this.#logs) yield* this.#tables.messages.rowsWithId(log, messageId);
  }

  remembered<Kind extends MemoryKind>(kind: Kind, id: string): MemoryEntries[Kind] | undefined {
    const body = this.#tables.memories.get(this.#key, kind, id);
    return body === undefined ? undefined : parseStored<MemoryEntries[Kind]>(body, this.#location);
  }

  allRemembered<Kind extends MemoryKind>(kind: Kind): readonly MemoryEntries[Kind][] {
    const bodies = this.#tables.memories.all(this.#key, kind);
    return bodies.map((body) => parseStored<MemoryEntries[Kind]>(body, this.#location));
  }

  forgettable(kind: MemoryKind, limit: ForgetLimit): { readonly count: number; readonly newestAt: number } {
    return this.#tables.memories.forgettable(this.#key, kind, limit);
  }

  get #location(): string {
    return `memories of session ${this.#key}`;
  }

  #cached(row: number): StoredMessage | undefined {
    return this.#tables.messages.cached(row) ?? this.drafts.get(row);
  }

  #load(runs: Runs): ReadonlyMap<number, StoredMessage> {
    const loaded = this.#tables.messages.load(runs);
    for (const [row, stored] of loaded) if (stored.message.status === "partial") this.drafts.set(row, stored);
    return loaded;
  }
}
