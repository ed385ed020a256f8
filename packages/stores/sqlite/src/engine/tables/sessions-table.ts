import type Database from "better-sqlite3";
import { preparedStatement } from "../prepared-statement.js";

type Statement<Parameters extends unknown[] = [], Row = unknown> = Database.Statement<Parameters, Row>;

/** A row of `sessions`. */
export interface SessionRow {
  readonly key: number;
  readonly id: string;
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly expires_at: number | null;
  readonly deleted_at: number | null;
  readonly version: number;
  readonly parts_version: number;
  readonly change: number;
  readonly log: number;
  readonly next_row: number;
  readonly state: string;
  readonly crc: number;
}

export const SESSION_COLUMNS: string = `s.key, s.id, s.revision, s.created_at, s.updated_at, s.expires_at,
  s.deleted_at, s.version, s.parts_version, s.change, s.log, s.next_row, s.state, s.crc`;

/** What a write of a session sets. */
export interface SessionColumns extends Omit<SessionRow, "key"> {
  readonly parent: Buffer | null;
}

/** The columns that nearly every commit changes. */
type Touched = [
  revision: number,
  updatedAt: number,
  version: number,
  partsVersion: number,
  change: number,
  nextRow: number,
  state: string,
  crc: number,
];

type All = [
  ...Touched,
  createdAt: number,
  expiresAt: number | null,
  deletedAt: number | null,
  parent: Buffer | null,
  log: number,
  updatedSlot: number,
  changeBlock: number,
];

/** Sessions of one slot of time are sorted when they are listed. */
const SLOT_MS = 20;
/** Changes of one block are sorted when the feed reads them. */
const CHANGES_PER_BLOCK = 64;

export function slotOf(time: number): number {
  return Math.floor(time / SLOT_MS);
}

export function blockOf(change: number): number {
  return Math.floor(change / CHANGES_PER_BLOCK);
}

const TOUCH = `UPDATE sessions SET revision = ?, updated_at = ?, version = ?, parts_version = ?, change = ?,
  next_row = ?, state = ?, crc = ?`;

export class SessionsTable {
  readonly #bySortKey: Statement<[Buffer], SessionRow>;
  readonly #byKey: Statement<[number], SessionRow>;
  readonly #insert: Statement<[Buffer, string]>;
  readonly #update: Statement<[...All, key: number]>;
  readonly #touch: Statement<[...Touched, key: number]>;
  readonly #touchInSlot: Statement<[...Touched, updatedSlot: number, key: number]>;
  readonly #touchInBlock: Statement<[...Touched, updatedSlot: number, changeBlock: number, key: number]>;
  readonly #reserveRows: Statement<[nextRow: number, version: number, crc: number, key: number]>;
  readonly #lastChange: Statement<[], number | null>;
  readonly #delete: Statement<[number]>;
  readonly #forgetChanges: Statement<[string]>;

  constructor(db: Database.Database) {
    this.#bySortKey = preparedStatement(db, `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.sort_key = ?`);
    this.#byKey = preparedStatement(db, `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.key = ?`);
    this.#insert = preparedStatement(
      db,
      `INSERT INTO sessions (sort_key, id, revision, created_at, updated_at, version, parts_version, change, updated_slot,
        change_block, log, next_row, state, crc) VALUES (?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', 0)`,
    );
    this.#update = preparedStatement(
      db,
      `${TOUCH}, created_at = ?, expires_at = ?, deleted_at = ?, parent = ?, log = ?, updated_slot = ?,
        change_block = ? WHERE key = ?`,
    );
    // SQLite writes an index whenever an UPDATE names a column of it, so these name only what has changed.
    this.#touch = preparedStatement(db, `${TOUCH} WHERE key = ?`);
    this.#touchInSlot = preparedStatement(db, `${TOUCH}, updated_slot = ? WHERE key = ?`);
    this.#touchInBlock = preparedStatement(db, `${TOUCH}, updated_slot = ?, change_block = ? WHERE key = ?`);
    this.#reserveRows = preparedStatement(
      db,
      "UPDATE sessions SET next_row = ?, version = ?, crc = ? WHERE key = ?",
    );
    // Numbers of forgotten sessions count too: a number is never used twice.
    this.#lastChange = preparedStatement<[], number | null>(
      db,
      `SELECT max(
        ifnull((SELECT max(change) FROM sessions WHERE change_block = (SELECT max(change_block) FROM sessions)), 0),
        ifnull((SELECT CAST(value AS INTEGER) FROM store WHERE name = 'forgotten change'), 0))`,
    ).pluck();
    this.#delete = preparedStatement(db, "DELETE FROM sessions WHERE key = ?");
    this.#forgetChanges = preparedStatement(
      db,
      "INSERT OR REPLACE INTO store (name, value) VALUES ('forgotten change', ?)",
    );
  }

  get(sortKey: Buffer): SessionRow | undefined {
    return this.#bySortKey.get(sortKey);
  }

  byKey(key: number): SessionRow | undefined {
    return this.#byKey.get(key);
  }

  /** An empty row, so that rows of other tables can refer to it. Returns its key. */
  insert(sortKey: Buffer, id: string): number {
    return Number(this.#insert.run(sortKey, id).lastInsertRowid);
  }

  update(key: number, columns: SessionColumns): void {
    const { created_at, expires_at, deleted_at, parent, log, updated_at, change } = columns;
    this.#update.run(
      ...touched(columns),
      created_at,
      expires_at,
      deleted_at,
      parent,
      log,
      slotOf(updated_at),
      blockOf(change),
      key,
    );
  }

  /** The same where only what nearly every commit changes is different. */
  touch(
    key: number,
    columns: SessionColumns,
    before: { readonly change: number; readonly updatedAt: number },
  ): void {
    const fields = touched(columns);
    const slot = slotOf(columns.updated_at);
    const block = blockOf(columns.change);
    if (blockOf(before.change) !== block) this.#touchInBlock.run(...fields, slot, block, key);
    else if (slotOf(before.updatedAt) !== slot) this.#touchInSlot.run(...fields, slot, key);
    else this.#touch.run(...fields, key);
  }

  /** Keeps rows at the end of its log free for a commit that is under way. */
  reserveRows(key: number, columns: Pick<SessionRow, "next_row" | "version" | "crc">): void {
    this.#reserveRows.run(columns.next_row, columns.version, columns.crc, key);
  }

  /** The number of the last change of the store. */
  lastChange(): number {
    return this.#lastChange.get() ?? 0;
  }

  /** Removes a deleted session that need not be remembered any more. */
  forget(keys: readonly number[]): void {
    this.#forgetChanges.run(String(this.lastChange()));
    for (const key of keys) this.#delete.run(key);
  }
}

function touched(columns: SessionColumns): Touched {
  const { revision, updated_at, version, parts_version, change, next_row, state, crc } = columns;
  return [revision, updated_at, version, parts_version, change, next_row, state, crc];
}
