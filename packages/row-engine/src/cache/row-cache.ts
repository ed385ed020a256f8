import type { Message } from "@sessions/protocol/backend";
import type { MessageRow } from "../runs/runs.js";
import type { StoredMessage } from "../session/stored-message.js";

/** The cached rows of one group. */
interface RowGroup {
  readonly rows: Map<number, StoredMessage>;
  bytes: number;
}

/**
 * Messages that were read or written, so that reading them again costs nothing and returns the same objects. Rows never
 * change, so what is cached stays true; drafts do, and are not cached. Rows come and go by groups, such as those of one
 * session: the group that was used longest ago goes first.
 */
export class RowCache<Group> {
  readonly #maxBytes: number;
  readonly #groups = new Map<Group, RowGroup>();
  readonly #rowOf = new WeakMap<Message, MessageRow>();
  #bytes = 0;
  #pins = 0;
  #last: Group | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(group: Group, row: number): StoredMessage | undefined {
    return this.#groups.get(group)?.rows.get(row);
  }

  /** `bytes`: about how much it takes. */
  put(group: Group, row: number, stored: StoredMessage, bytes: number): void {
    if (stored.message.status === "partial") return;
    const rows = this.#use(group);
    if (!rows.rows.has(row)) {
      rows.bytes += bytes;
      this.#bytes += bytes;
    }
    rows.rows.set(row, stored);
    this.#rowOf.set(stored.message, { row, revision: stored.revision });
    this.#trim();
  }

  /** The row that this very message was read from or written to. */
  rowOf(message: Message): MessageRow | undefined {
    return this.#rowOf.get(message);
  }

  drop(group: Group): void {
    this.#bytes -= this.#groups.get(group)?.bytes ?? 0;
    this.#groups.delete(group);
  }

  clear(): void {
    this.#groups.clear();
    this.#bytes = 0;
  }

  /** Nothing is evicted until the returned function is called. */
  pin(): () => void {
    this.#pins++;
    return () => {
      this.#pins--;
      this.#trim();
    };
  }

  #use(group: Group): RowGroup {
    const rows = this.#groups.get(group) ?? { rows: new Map(), bytes: 0 };
    if (this.#last !== group) this.#groups.delete(group); // to the end: it was used last
    this.#groups.set(group, rows);
    this.#last = group;
    return rows;
  }

  #trim(): void {
    for (const group of this.#groups.keys()) {
      if (this.#pins > 0 || this.#bytes <= this.#maxBytes) return;
      this.drop(group);
    }
  }
}
