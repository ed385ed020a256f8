import type Database from "better-sqlite3";

/** A row that can be deleted. */
interface StoredPart {
  readonly name: string;
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Every row that belongs to a session, but for the one by which it is found. */
function storedParts(db: Database.Database, sessionId: string): readonly StoredPart[] {
  const session = db.prepare<[string], { key: number; log: number }>(
    "SELECT key, log FROM sessions WHERE id = ?",
  );
  const { key, log } = session.get(sessionId) ?? { key: 0, log: 0 };
  const rows = (
    table: string,
    columns: readonly string[],
    where: string,
    value: number,
  ): readonly StoredPart[] =>
    db
      .prepare<[number], unknown[]>(`SELECT ${columns.join(", ")} FROM ${table} WHERE ${where}`)
      .raw()
      .all(value)
      .map((values) => ({
        name: `${table} ${values.join(" ")}`,
        sql: `DELETE FROM ${table} WHERE ${columns.map((column) => `${column} = ?`).join(" AND ")}`,
        values,
      }));
  return [
    ...rows("messages", ["row"], "log = ?", log),
    ...rows("extensions", ["row", "n"], "row IN (SELECT row FROM messages WHERE log = ?)", log),
    ...rows("parts", ["key", "n"], "key = ?", key),
    ...rows("memories", ["key", "kind", "id"], "key = ?", key),
    ...rows("labels", ["name", "value", "key"], "key = ?", key),
    ...rows("log_references", ["key", "log"], "key = ?", key),
    ...rows("logs", ["id"], "id = ?", log),
  ];
}

/** Deletes one of them; `undefined` if there are not so many. */
export function removedPart(db: Database.Database, sessionId: string, number: number): string | undefined {
  const part = storedParts(db, sessionId)[number];
  if (part === undefined) return undefined;
  db.prepare(part.sql).run(...part.values);
  return part.name;
}
