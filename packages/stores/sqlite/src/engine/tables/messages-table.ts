import type Database from "better-sqlite3";
import { checksum } from "../checksum.js";
import { preparedStatement } from "../prepared-statement.js";

type Statement<Parameters extends unknown[] = [], Row = unknown> = Database.Statement<Parameters, Row>;

export type MessageRow = readonly [row: number, revision: number, crc: number, id: string, body: string];
export type ExtensionRow = readonly [row: number, n: number, revision: number, crc: number, op: string];

/** Messages, and the extensions of drafts. */
export class MessagesTable {
  readonly #rows: Statement<[number, number], MessageRow>;
  readonly #count: Statement<[number, number], number>;
  readonly #lastOf: Statement<[number, number, number], number | null>;
  readonly #insert: Statement<
    [row: number, log: number, id: string, revision: number, crc: number, body: string, indexed: number]
  >;
  readonly #rewrite: Statement<[crc: number, body: string, row: number]>;
  readonly #delete: Statement<[number, number]>;
  readonly #extensions: Statement<[number, number], ExtensionRow>;
  readonly #countExtensions: Statement<[number], number>;
  readonly #insertExtension: Statement<[row: number, n: number, revision: number, crc: number, op: string]>;
  readonly #deleteExtensions: Statement<[number, number]>;

  constructor(db: Database.Database) {
    const inRange = "WHERE row >= ? AND row < ?";
    this.#rows = preparedStatement<[number, number], MessageRow>(
      db,
      `SELECT row, revision, crc, id, body FROM messages ${inRange} ORDER BY row`,
    ).raw();
    this.#count = preparedStatement<[number, number], number>(
      db,
      `SELECT count(*) FROM messages ${inRange}`,
    ).pluck();
    this.#lastOf = preparedStatement<[number, number, number], number | null>(
      db,
      `SELECT max(row) FROM (SELECT row FROM messages ${inRange} ORDER BY row LIMIT ?)`,
    ).pluck();
    this.#insert = preparedStatement(
      db,
      "INSERT INTO messages (row, log, id, revision, crc, body, indexed) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    this.#rewrite = preparedStatement(db, "UPDATE messages SET crc = ?, body = ? WHERE row = ?");
    this.#delete = preparedStatement(db, `DELETE FROM messages ${inRange}`);
    this.#extensions = preparedStatement<[number, number], ExtensionRow>(
      db,
      `SELECT row, n, revision, crc, op FROM extensions ${inRange} ORDER BY row, n`,
    ).raw();
    this.#countExtensions = preparedStatement<[number], number>(
      db,
      "SELECT count(*) FROM extensions WHERE row = ?",
    ).pluck();
    this.#insertExtension = preparedStatement(
      db,
      "INSERT INTO extensions (row, n, revision, crc, op) VALUES (?, ?, ?, ?, ?)",
    );
    this.#deleteExtensions = preparedStatement(db, `DELETE FROM extensions ${inRange}`);
  }

  /** The rows from `from` up to and without `to`. */
  rows(from: number, to: number): readonly MessageRow[] {
    return this.#rows.all(from, to);
  }

  count(from: number, to: number): number {
    return this.#count.get(from, to) ?? 0;
  }

  /** The last of the first `limit` rows in a range. */
  lastOf(from: number, to: number, limit: number): number | undefined {
    return this.#lastOf.get(from, to, limit) ?? undefined;
  }

  /** `isIndexed`: see `MessageIds`. */
  insert(row: number, log: number, { id, revision, body }: MessageText, isIndexed: boolean): void {
    const crc = messageChecksum(row, id, revision, body);
    this.#insert.run(row, log, id, revision, crc, body, isIndexed ? 1 : 0);
  }

  /** A draft that is complete or was replaced. */
  rewrite(row: number, { id, revision, body }: MessageText): void {
    this.#rewrite.run(messageChecksum(row, id, revision, body), body, row);
    this.#deleteExtensions.run(row, row + 1);
  }

  delete(from: number, to: number): void {
    this.#delete.run(from, to);
    this.#deleteExtensions.run(from, to);
  }

  /** The extensions of drafts in a range of rows. */
  extensions(from: number, to: number): readonly ExtensionRow[] {
    return this.#extensions.all(from, to);
  }

  countExtensions(row: number): number {
    return this.#countExtensions.get(row) ?? 0;
  }

  insertExtension(row: number, n: number, revision: number, op: string): void {
    this.#insertExtension.run(row, n, revision, extensionChecksum(row, n, revision, op), op);
  }
}

/** A message as it is written. */
export interface MessageText {
  readonly id: string;
  readonly revision: number;
  readonly body: string;
}

export function messageChecksum(row: number, id: string, revision: number, body: string): number {
  return checksum(row, id, revision, body);
}

export function extensionChecksum(row: number, n: number, revision: number, op: string): number {
  return checksum(row, n, revision, op);
}
