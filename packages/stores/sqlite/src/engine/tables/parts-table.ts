import { Damage } from "@sessions/protocol/backend";
import type { PartRow } from "@sessions/row-engine";
import type Database from "better-sqlite3";
import { checksum } from "../checksum.js";
import { preparedStatement } from "../prepared-statement.js";

type Statement<Parameters extends unknown[] = [], Row = unknown> = Database.Statement<Parameters, Row>;

/** Metadata, archives and snapshots of sessions. */
export class PartsTable {
  readonly #all: Statement<[number], PartRow & { readonly crc: number }>;
  readonly #put: Statement<[key: number, n: number, kind: string, body: string, crc: number]>;
  readonly #delete: Statement<[key: number, n: number]>;
  readonly #deleteAll: Statement<[number]>;

  constructor(db: Database.Database) {
    this.#all = preparedStatement(db, "SELECT n, kind, body, crc FROM parts WHERE key = ? ORDER BY n");
    this.#put = preparedStatement(
      db,
      "INSERT OR REPLACE INTO parts (key, n, kind, body, crc) VALUES (?, ?, ?, ?, ?)",
    );
    this.#delete = preparedStatement(db, "DELETE FROM parts WHERE key = ? AND n = ?");
    this.#deleteAll = preparedStatement(db, "DELETE FROM parts WHERE key = ?");
  }

  all(key: number): readonly PartRow[] {
    const rows = this.#all.all(key);
    for (const part of rows)
      if (checksumOf(key, part) !== part.crc)
        throw new Damage(`parts of session ${key}, number ${part.n}`, "does not match its checksum");
    return rows;
  }

  put(key: number, part: PartRow): void {
    this.#put.run(key, part.n, part.kind, part.body, checksumOf(key, part));
  }

  delete(key: number, n: number): void {
    this.#delete.run(key, n);
  }

  deleteAll(key: number): void {
    this.#deleteAll.run(key);
  }
}

function checksumOf(key: number, { n, kind, body }: PartRow): number {
  return checksum(key, n, kind, body);
}
