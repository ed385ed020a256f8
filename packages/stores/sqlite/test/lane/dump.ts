import type Database from "better-sqlite3";
import { BLOCK } from "../../src/unindexed-rows.js";

interface Table {
  readonly name: string;
  readonly sql: string;
}

/** Everything in a database, as text: every row of every table, those of the search index too. */
export function dumpOf(db: Database.Database): string {
  const tables = db
    .prepare<[], Table>("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .filter(({ sql }) => !sql.startsWith("CREATE VIRTUAL"));
  return tables.map(({ name }) => `${name}\n${rowsOf(db, name)}`).join("\n");
}

/** When a row enters the index of ids differs, and the store's own id: all else must not. */
function rowsOf(db: Database.Database, table: string): string {
  const rows = db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all();
  const kept = rows.filter(({ name }) => !(table === "store" && name === "id"));
  return kept.map((row) => JSON.stringify({ ...row, indexed: undefined })).join("\n");
}

/** Rows that are not in the index of ids, and would not be found. */
export function lostRows(db: Database.Database): readonly unknown[] {
  return db
    .prepare(
      `SELECT row FROM messages m WHERE indexed = 0
        AND row < (SELECT max(row) - max(row) % ${BLOCK} FROM messages o WHERE o.log = m.log)`,
    )
    .all();
}
