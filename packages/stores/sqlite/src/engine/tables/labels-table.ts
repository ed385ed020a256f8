import type Database from "better-sqlite3";
import { storableText } from "../../session/storable-text.js";
import { preparedStatement } from "../prepared-statement.js";

/** The table `labels`, an index by which listings find sessions with a label. */
export class LabelsTable {
  readonly #add: Database.Statement<[name: string, value: string, key: number]>;
  readonly #delete: Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.#add = preparedStatement(db, "INSERT INTO labels (name, value, key) VALUES (?, ?, ?)");
    this.#delete = preparedStatement(db, "DELETE FROM labels WHERE key = ?");
  }

  replace(key: number, labels: Readonly<Record<string, string>>): void {
    this.#delete.run(key);
    for (const [name, value] of Object.entries(labels))
      this.#add.run(storableText(name), storableText(value), key);
  }
}
