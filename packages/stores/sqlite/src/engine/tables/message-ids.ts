import type Database from "better-sqlite3";
import { preparedStatement } from "../prepared-statement.js";

const ROWS_PER_BLOCK = 32;

/**
 * The index of message ids. Rows are in blocks of 32. A message that is appended alone enters the index when its block is full,
 * or before others are written to its log. So the rows that are not in the index are always in the block of the log's last row,
 * and most appends write no page of the index: 2.9 pages each instead of 4.0.
 */
export class MessageIds {
  readonly #indexed: Database.Statement<[log: number, id: string], number>;
  readonly #unindexed: Database.Statement<[from: number, to: number, to: number, id: string], number>;
  readonly #index: Database.Statement<[from: number, to: number]>;

  constructor(db: Database.Database) {
    this.#indexed = preparedStatement<[number, string], number>(
      db,
      "SELECT row FROM messages WHERE log = ? AND id = ? AND indexed = 1",
    ).pluck();
    this.#unindexed = preparedStatement<[number, number, number, string], number>(
      db,
      `SELECT row FROM messages
        WHERE row >= (SELECT row - row % ${ROWS_PER_BLOCK} FROM messages
                       WHERE row >= ? AND row < ? ORDER BY row DESC LIMIT 1)
          AND row < ? AND indexed = 0 AND id = ?`,
    ).pluck();
    this.#index = preparedStatement(
      db,
      "UPDATE messages SET indexed = 1 WHERE row >= ? AND row < ? AND indexed = 0",
    );
  }

  /** Whether the next rows of a log may stay out of the index for now. */
  mayWait(row: number, count: number): boolean {
    return count === 1 && row % ROWS_PER_BLOCK !== ROWS_PER_BLOCK - 1;
  }

  /** Puts the rows before `next` into the index. To be called before rows are written there that do not wait. */
  indexBefore(next: number): void {
    const from = next - (next % ROWS_PER_BLOCK);
    if (from < next) this.#index.run(from, next);
  }

  /** The rows of a log, which are in a range, that have this id. */
  rowsWithId(
    log: number,
    { from, to }: { readonly from: number; readonly to: number },
    id: string,
  ): readonly number[] {
    const indexed = this.#indexed.all(log, id);
    return [...indexed, ...this.#unindexed.all(from, to, to, id)];
  }
}
