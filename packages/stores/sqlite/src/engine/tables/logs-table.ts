import type Database from "better-sqlite3";
import { preparedStatement } from "../prepared-statement.js";

type Statement<Parameters extends unknown[] = [], Row = unknown> = Database.Statement<Parameters, Row>;

export interface LogRow {
  readonly id: number;
  readonly owner: number | null;
  readonly staged_at: number | null;
}

/** The logs, and which sessions refer to them beside their owner. */
export class LogsTable {
  readonly #get: Statement<[number], LogRow>;
  readonly #add: Statement<[owner: number | null, stagedAt: number | null]>;
  readonly #delete: Statement<[number]>;
  readonly #stage: Statement<[at: number, log: number]>;
  readonly #unstage: Statement<[number]>;
  readonly #adopt: Statement<[owner: number, log: number]>;
  readonly #leave: Statement<[number]>;
  readonly #leaveAll: Statement<[owner: number]>;
  readonly #markReferredDirty: Statement<[key: number]>;
  readonly #markDirty: Statement<[number]>;
  readonly #markClean: Statement<[number]>;
  readonly #toSweep: Statement<[stagedBefore: number], number>;
  readonly #sessionsOf: Statement<[number, number], number>;
  readonly #refer: Statement<[key: number, log: number]>;
  readonly #unrefer: Statement<[key: number, log: number]>;

  constructor(db: Database.Database) {
    this.#get = preparedStatement(db, "SELECT id, owner, staged_at FROM logs WHERE id = ?");
    this.#add = preparedStatement(db, "INSERT INTO logs (owner, dirty, staged_at) VALUES (?, 0, ?)");
    this.#delete = preparedStatement(db, "DELETE FROM logs WHERE id = ?");
    this.#stage = preparedStatement(db, "UPDATE logs SET staged_at = ? WHERE id = ?");
    this.#unstage = preparedStatement(
      db,
      "UPDATE logs SET staged_at = NULL, dirty = 1 WHERE id = ? AND staged_at IS NOT NULL",
    );
    this.#adopt = preparedStatement(
      db,
      "UPDATE logs SET owner = ?, staged_at = NULL WHERE id = ? AND owner IS NULL AND staged_at IS NOT NULL",
    );
    this.#leave = preparedStatement(db, "UPDATE logs SET owner = NULL, dirty = 1 WHERE id = ?");
    this.#leaveAll = preparedStatement(db, "UPDATE logs SET owner = NULL, dirty = 1 WHERE owner = ?");
    this.#markReferredDirty = preparedStatement(
      db,
      "UPDATE logs SET dirty = 1 WHERE id IN (SELECT log FROM log_references WHERE key = ?)",
    );
    this.#markDirty = preparedStatement(db, "UPDATE logs SET dirty = 1 WHERE id = ?");
    this.#markClean = preparedStatement(db, "UPDATE logs SET dirty = 0, staged_at = NULL WHERE id = ?");
    this.#toSweep = preparedStatement<[number], number>(
      db,
      "SELECT id FROM logs WHERE (dirty = 1 AND staged_at IS NULL) OR staged_at < ?",
    ).pluck();
    this.#sessionsOf = preparedStatement<[number, number], number>(
      db,
      `SELECT owner FROM logs WHERE id = ? AND owner IS NOT NULL
        UNION SELECT key FROM log_references WHERE log = ? ORDER BY 1`,
    ).pluck();
    this.#refer = preparedStatement(db, "INSERT OR IGNORE INTO log_references (key, log) VALUES (?, ?)");
    this.#unrefer = preparedStatement(db, "DELETE FROM log_references WHERE key = ? AND log = ?");
  }

  get(log: number): LogRow | undefined {
    return this.#get.get(log);
  }

  /** Returns its number. */
  add(owner: number | null, stagedAt: number | null): number {
    return Number(this.#add.run(owner, stagedAt).lastInsertRowid);
  }

  delete(log: number): void {
    this.#delete.run(log);
  }

  /** Rows are written to it for a commit that is under way: the sweep leaves them alone. */
  stage(log: number, at: number): void {
    this.#stage.run(at, log);
  }

  /** The commit has ended. What it did not use is swept. */
  unstage(log: number): void {
    this.#unstage.run(log);
  }

  /** Gives a log that was staged for a new session to it. `false` if it was swept meanwhile. */
  adopt(log: number, owner: number): boolean {
    return this.#adopt.run(owner, log).changes > 0;
  }

  /** Its owner has ended. */
  leave(log: number): void {
    this.#leave.run(log);
  }

  /** A session is removed without being read: all logs that it owns or refers to may have rows of nobody else. */
  leaveAllOf(key: number): void {
    this.#leaveAll.run(key);
    this.#markReferredDirty.run(key);
  }

  /** It may have rows that no session refers to. */
  markDirty(log: number): void {
    this.#markDirty.run(log);
  }

  markClean(log: number): void {
    this.#markClean.run(log);
  }

  toSweep(stagedBefore: number): readonly number[] {
    return this.#toSweep.all(stagedBefore);
  }

  /** The keys of the sessions that may refer to its rows, in order. */
  sessionsOf(log: number): readonly number[] {
    return this.#sessionsOf.all(log, log);
  }

  refer(key: number, log: number): void {
    this.#refer.run(key, log);
  }

  unrefer(key: number, log: number): void {
    this.#unrefer.run(key, log);
  }
}
