import Database from "better-sqlite3";

/** How long the longest COMMIT took: one call of the engine that no store can divide. */
export class TimedCommits {
  longestMs = 0;

  /** A connection whose commits are timed. */
  open(path: string): Database.Database {
    const db = new Database(path);
    const prepare = db.prepare.bind(db);
    const value = (sql: string): unknown => (sql === "COMMIT" ? this.#timed(prepare(sql)) : prepare(sql));
    return Object.defineProperty(db, "prepare", { value });
  }

  #timed(statement: Database.Statement): Database.Statement {
    const run = statement.run.bind(statement);
    const value = (): unknown => {
      const startedAt = performance.now();
      const result = run();
      this.longestMs = Math.max(this.longestMs, performance.now() - startedAt);
      return result;
    };
    return Object.defineProperty(statement, "run", { value });
  }
}
