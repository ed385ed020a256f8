import type { Run } from "@sessions/protocol/backend";
import type { RowCache } from "./row-cache.js";
import type { StoredMessage } from "./stored-message.js";

/** What is to be remembered of a transaction once it is committed; if it is not, none of this has happened. */
export class TransactionEffects {
  readonly #written: (readonly [number, StoredMessage, number])[] = [];
  readonly #relaid: (readonly [number, number, readonly Run[]])[] = [];

  wrote(row: number, stored: StoredMessage, size: number): void {
    this.#written.push([row, stored, size]);
  }

  /** A row as this transaction has written it. */
  writtenAt(row: number): StoredMessage | undefined {
    return this.#written.findLast(([written]) => written === row)?.[1];
  }

  relaid(log: number, layout: number, changed: readonly Run[]): void {
    this.#relaid.push([log, layout, changed]);
  }

  remember(cache: RowCache): void {
    for (const [log, layout, changed] of this.#relaid) cache.relayout(log, layout, changed);
    for (const [row, stored, size] of this.#written) cache.wrote(row, stored, size);
    cache.trim();
  }
}
