import type { ForgetLimit, MemoryKind, MemoryWrite } from "@sessions/row-engine";
import type Database from "better-sqlite3";
import { preparedStatement } from "../prepared-statement.js";

type Statement<Parameters extends unknown[] = [], Row = unknown> = Database.Statement<Parameters, Row>;

/** What sessions remember by ids. */
export class MemoriesTable {
  readonly #get: Statement<[key: number, kind: string, id: string], string>;
  readonly #all: Statement<[key: number, kind: string], string>;
  readonly #add: Statement<[key: number, kind: string, id: string, n: number, at: number, body: string]>;
  readonly #forgettable: Statement<
    [key: number, kind: string, n: number, at: number],
    { readonly count: number; readonly newestAt: number | null }
  >;
  readonly #forget: Statement<[key: number, kind: string, n: number, at: number]>;
  readonly #clear: Statement<[key: number, kind: string]>;

  constructor(db: Database.Database) {
    const ofKind = "FROM memories WHERE key = ? AND kind = ?";
    this.#get = preparedStatement<[number, string, string], string>(
      db,
      `SELECT body ${ofKind} AND id = ?`,
    ).pluck();
    this.#all = preparedStatement<[number, string], string>(db, `SELECT body ${ofKind} ORDER BY n`).pluck();
    this.#add = preparedStatement(
      db,
      "INSERT INTO memories (key, kind, id, n, at, body) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#forgettable = preparedStatement(
      db,
      `SELECT count(*) AS count, max(at) AS newestAt ${ofKind} AND n < ? AND at <= ?`,
    );
    this.#forget = preparedStatement(db, `DELETE ${ofKind} AND n < ? AND at <= ?`);
    this.#clear = preparedStatement(db, `DELETE ${ofKind}`);
  }

  get(key: number, kind: MemoryKind, id: string): string | undefined {
    return this.#get.get(key, kind, id);
  }

  all(key: number, kind: MemoryKind): readonly string[] {
    return this.#all.all(key, kind);
  }

  add(key: number, kind: MemoryKind, { id, n, at, body }: MemoryWrite): void {
    this.#add.run(key, kind, id, n, at, body);
  }

  forgettable(
    key: number,
    kind: MemoryKind,
    { n, at }: ForgetLimit,
  ): { readonly count: number; readonly newestAt: number } {
    const { count, newestAt } = this.#forgettable.get(key, kind, n, at) ?? { count: 0, newestAt: 0 };
    return { count, newestAt: newestAt ?? 0 };
  }

  forget(key: number, kind: MemoryKind, { n, at }: ForgetLimit): void {
    this.#forget.run(key, kind, n, at);
  }

  clear(key: number, kind: MemoryKind): void {
    this.#clear.run(key, kind);
  }
}
