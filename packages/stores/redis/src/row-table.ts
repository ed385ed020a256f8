import type { Message, MessageDraft } from "@sessions/protocol/backend";
import type { Runs } from "@sessions/row-engine";
import { Missing } from "./missing.js";
import { parseRow, type StoredMessage, storedMessage } from "./row-text.js";

/** Where a message stands. */
export interface Provenance {
  readonly row: number;
  readonly revision: number;
}

/** A message that is being written, and the version of the small state that it was so with. */
interface Draft {
  readonly version: string;
  readonly stored: StoredMessage;
}

/** A message that was appended: not one that is being written. */
export interface Appended {
  readonly row: number;
  readonly draft: MessageDraft;
  readonly revision: number;
  readonly at: number;
  /** The length of its text. */
  readonly size: number;
}

/** So many appended rows, and so long, wait to be asked for. */
const MOST_APPENDED = 16;
const MOST_CHARACTERS = 16_000;

/**
 * Rows of one life of a session that were read or written. A row is never changed, except while its message is being
 * written: such drafts count only together with the version of the small state that they were read with.
 */
export class RowTable {
  readonly #rows = new Map<number, StoredMessage>();
  readonly #drafts = new Map<number, Draft>();
  /** The rows of each id: nearly always one, and there are as many ids as messages. */
  readonly #byId = new Map<string, number | readonly number[]>();
  /** Rows that were appended and have not been asked for yet, in their order. */
  #appended: Appended[] = [];
  #characters = 0;
  size = 0;
  /** Behind the last row that is here. */
  end = 0;
  /** How many had come since the time before, when somebody looked last. The first time nobody knows. */
  newRows = 4;

  /** The row from which on there may be some that are not here, or not as the server has them. */
  get knownUntil(): number {
    let until = this.end;
    for (const row of this.#drafts.keys()) until = Math.min(until, row);
    return until;
  }

  get(row: number, version: string): StoredMessage | undefined {
    const stored = this.#rows.get(row);
    if (stored !== undefined) return stored;
    const draft = this.#drafts.get(row);
    return draft?.version === version ? draft.stored : undefined;
  }

  /** All of some rows. Throws `Missing` for those that are not here. */
  all({ list }: Runs, version: string): readonly StoredMessage[] {
    const found: StoredMessage[] = [];
    const rows: number[] = [];
    for (const { from, to } of list)
      for (let row = from; row < to; row++) {
        const stored = this.get(row, version);
        if (stored === undefined) rows.push(row);
        else found.push(stored);
      }
    if (rows.length > 0) throw new Missing({ rows });
    return found;
  }

  /** Takes a row as the server has it. */
  read(row: number, text: string, location: string, version: string): void {
    if (this.get(row, version) === undefined) this.put(row, parseRow(text, location), text.length, version);
  }

  put(row: number, stored: StoredMessage, size: number, version: string): void {
    const { message } = stored;
    this.#list(message.id, row);
    this.end = Math.max(this.end, row + 1);
    if (message.status === "partial") {
      this.#drafts.set(row, { version, stored });
      return;
    }
    this.#drafts.delete(row);
    this.#rows.set(row, stored);
    this.size += size;
  }

  /** Keeps a row that was appended, so that it need not be read. Not for long: who only appends never asks for it. */
  append(appended: Appended): void {
    this.#characters += appended.size;
    if (this.#appended.length < MOST_APPENDED && this.#characters <= MOST_CHARACTERS)
      this.#appended.push(appended);
  }

  /** Takes over what was appended, as far as nothing is missing before it. */
  settle(): void {
    if (this.#appended.length === 0) return;
    for (const { row, draft, revision, at, size } of this.#appended) {
      if (row > this.end) break;
      if (row === this.end) this.put(row, storedMessage(draft, revision, at), size, "");
    }
    this.#appended = [];
    this.#characters = 0;
  }

  /** Rows that are here and have a message of this id. */
  rowsOf(id: string): readonly number[] {
    const rows = this.#byId.get(id) ?? [];
    return typeof rows === "number" ? [rows] : rows;
  }

  /** Where a message stands that was given out from here, if it is there as it was. */
  provenanceOf(message: Message): Provenance | undefined {
    for (const row of this.rowsOf(message.id)) {
      const stored = this.#rows.get(row) ?? this.#drafts.get(row)?.stored;
      if (stored?.message === message) return { row, revision: stored.revision };
    }
    return undefined;
  }

  isDraft(row: number): boolean {
    return this.#drafts.has(row);
  }

  #list(id: string, row: number): void {
    const rows = this.#byId.get(id);
    if (rows === undefined) this.#byId.set(id, row);
    else if (rows !== row && !this.rowsOf(id).includes(row)) this.#byId.set(id, [...this.rowsOf(id), row]);
  }
}
