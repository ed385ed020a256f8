import type Database from "better-sqlite3";
import { hasCode } from "../error-mapping.js";

/**
 * Prepares a statement whose reads run once more if they meet damage. SQLite reports a page that the disk could not read (EIO) as
 * damaged. A damaged page stays damaged, a failing disk may recover, and only one of them is SESSION_CORRUPTED.
 */
export function preparedStatement<Parameters extends unknown[] = [], Row = unknown>(
  db: Database.Database,
  sql: string,
): Database.Statement<Parameters, Row> {
  const statement = db.prepare<Parameters, Row>(sql);
  for (const method of ["get", "all"] as const) {
    const call = statement[method].bind(statement);
    const value = (...parameters: Parameters): unknown => {
      try {
        return call(...parameters);
      } catch (error) {
        if (!hasCode(error, "SQLITE_CORRUPT")) throw error;
        return call(...parameters);
      }
    };
    Object.defineProperty(statement, method, { value });
  }
  return statement;
}

/** Does a read again that met damage. */
export function retryDamagedRead<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!hasCode(error, "SQLITE_CORRUPT")) throw error;
    return read();
  }
}
