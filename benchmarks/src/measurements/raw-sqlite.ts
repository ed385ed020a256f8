import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { message } from "../chat.js";
import type { RawLoop } from "./raw-loop.js";

const SCHEMA = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, updated_at REAL NOT NULL) STRICT;
  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY, session TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (session, id)
  ) STRICT;
  INSERT INTO sessions VALUES ('s', 0, 0);`;

/** SQLite without a store: one transaction with an update of the session and an insert for each message. */
export function rawSqlite(perTransaction: number): RawLoop {
  const many = perTransaction === 1 ? "one update + insert" : `${perTransaction} × update + insert`;
  return {
    name: `raw better-sqlite3, ${many} per IMMEDIATE transaction, FULL`,
    messagesPerAppend: perTransaction,
    async start(folder) {
      mkdirSync(folder, { recursive: true });
      const db = openedFull(join(folder, "raw.db"));
      const append = appender(db, perTransaction);
      return {
        append: async () => append(),
        async [Symbol.asyncDispose]() {
          db.close();
        },
      };
    },
  };
}

function openedFull(path: string): Database.Database {
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(SCHEMA);
  return db;
}

function appender(db: Database.Database, perTransaction: number): () => void {
  const update = db.prepare("UPDATE sessions SET revision = revision + 1, updated_at = ? WHERE id = 's'");
  const insert = db.prepare("INSERT INTO messages (session, id, body) VALUES ('s', ?, ?)");
  const transaction = db.transaction(() => {
    for (let index = 0; index < perTransaction; index++) {
      const id = randomUUID();
      update.run(Date.now());
      insert.run(id, JSON.stringify({ ...message(index), id, createdAt: Date.now() }));
    }
  });
  return () => transaction.immediate();
}
