import { type Message, textOf } from "@sessions/protocol";
import type Database from "better-sqlite3";
import { retryDamagedRead } from "../engine/prepared-statement.js";
import { wordsOf } from "./words.js";

/**
 * Which words the rows of messages have. It knows nothing of sessions: who may see a row is decided when it is found, by
 * what the session holds at that moment. So a clear, an archive, a restore or a fork has nothing to do here.
 */
export class SearchIndex {
  readonly #db: Database.Database;
  #statements: IndexStatements | undefined;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Finds out whether this database has an index: another process may have made it. */
  refresh(): void {
    const find = "SELECT 1 FROM sqlite_schema WHERE name = 'search'";
    const isThere = retryDamagedRead(() => this.#db.prepare(find).get()) !== undefined;
    if (!isThere) this.#statements = undefined;
    else this.#statements ??= prepared(this.#db);
  }

  /** Whether there is anything to be kept. */
  get isThere(): boolean {
    return this.#statements !== undefined;
  }

  /** A message that was written to a row. One that is still being written is not looked at. */
  put(row: number, message: Message): void {
    if (this.#statements === undefined || message.status === "partial") return;
    const words = indexed(message);
    if (words !== "") this.#statements.put.run(row, words);
  }

  /** A row that says something else now. */
  replace(row: number, message: Message): void {
    this.drop(row, row + 1);
    this.put(row, message);
  }

  /** Rows that are gone. */
  drop(from: number, to: number): void {
    this.#statements?.drop.run(from, to);
  }
}

interface IndexStatements {
  readonly put: Database.Statement<[number, string]>;
  readonly drop: Database.Statement<[number, number]>;
}

function prepared(db: Database.Database): IndexStatements {
  return {
    put: db.prepare("INSERT INTO search (rowid, words) VALUES (?, ?)"),
    drop: db.prepare("DELETE FROM search WHERE rowid >= ? AND rowid < ?"),
  };
}

function indexed(message: Message): string {
  let words = "";
  for (const { word } of wordsOf(textOf(message))) words += `${word} `;
  return words;
}
