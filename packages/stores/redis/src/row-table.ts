import type { Message, Runs } from "@sessions/protocol";
import { parseRow, type StoredMessage } from "./row-text.js";

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

/**
 * Rows of one life of a session that were read or written. A row is never changed, except while its message is being
 * written: such drafts count only together with the version of the small state that they were read with.
 */
export class RowTable {
  readonly #rows = new Map<number, StoredMessage>();
  readonly #drafts = new Map<number, Draft>();
  readonly #byId = new Map<string, Set<number>>();
  readonly #provenance = new WeakMap<Message, Provenance>();
  size = 0;
  #end = 0;

  /** The row from which on there may be some that are not here, or not as the server has them. */
  get knownUntil(): number {
    let until = this.#end;
    for (const row of this.#drafts.keys()) until = Math.min(until, row);
    return until;
  }

  get(row: number, version: string): StoredMessage | undefined {
    const stored = this.#rows.get(row);
    if (stored !== undefined) return stored;
    const draft = this.#drafts.get(row);
    return draft?.version === version ? draft.stored : undefined;
  }

  /** Takes a row as the server has it. */
  read(row: number, text: string, location: string, version: string): void {
    if (this.get(row, version) === undefined) this.put(row, parseRow(text, location), text.length, version);
  }

  put(row: number, stored: StoredMessage, size: number, version: string): void {
    const { message, revision } = stored;
    this.#provenance.set(message, { row, revision });
    this.#listed(message.id).add(row);
    this.#end = Math.max(this.#end, row + 1);
    if (message.status === "partial") {
      this.#drafts.set(row, { version, stored });
      return;
    }
    this.#drafts.delete(row);
    this.#rows.set(row, stored);
    this.size += size;
  }

  /** Rows that are here and have a message of this id. */
  rowsOf(id: string): Iterable<number> {
    return this.#byId.get(id) ?? [];
  }

  provenanceOf(message: Message): Provenance | undefined {
    return this.#provenance.get(message);
  }

  isDraft(row: number): boolean {
    return this.#drafts.has(row);
  }

  /** Those of some rows that are not here. */
  missing({ list }: Runs, version: string): readonly number[] {
    const missing: number[] = [];
    for (const { from, to } of list)
      for (let row = from; row < to; row++) if (this.get(row, version) === undefined) missing.push(row);
    return missing;
  }

  #listed(id: string): Set<number> {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const fresh = new Set<number>();
    this.#byId.set(id, fresh);
    return fresh;
  }
}
