import type { Message } from "@sessions/protocol";
import { Damage, type LoopShare, parseStored } from "@sessions/protocol/backend";
import type Database from "better-sqlite3";
import type { Transactions } from "../engine/transactions.js";
import type { SearchIndex } from "./search-index.js";

const ROWS_PER_STEP = 200;

/** Words are made by this package; for SQLite everything but a space is part of one. */
const TABLE = `CREATE VIRTUAL TABLE search USING fts5(words, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* S* Co'")`;

interface IndexContext {
  readonly db: Database.Database;
  readonly transactions: Transactions;
  readonly search: SearchIndex;
  readonly share: LoopShare;
}

/**
 * Makes the index of a database that has none. From its first moment every writer keeps it; what was there before is added
 * in parts. A process that is killed meanwhile leaves the rest to the next one.
 */
export async function makeIndex(context: IndexContext): Promise<void> {
  const { db, transactions, search } = context;
  await transactions.write(() => {
    const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search'").get() !== undefined;
    if (isThere) return { result: undefined, writes: false };
    db.exec(TABLE);
    remember(db, 0);
    return { result: undefined, writes: true };
  });
  search.refresh();
  while (await addSome(context)) await context.share.afterOthers();
}

function remember(db: Database.Database, row: number | "all"): void {
  db.prepare("INSERT OR REPLACE INTO store (name, value) VALUES ('indexed', ?)").run(String(row));
}

/** Says whether there may be more. */
async function addSome({ db, transactions, search }: IndexContext): Promise<boolean> {
  return transactions.write(() => {
    const done = db.prepare<[], string>("SELECT value FROM store WHERE name = 'indexed'").pluck().get();
    if (done === "all") return { result: false, writes: false };
    const rows = db
      .prepare<[number, number], { readonly row: number; readonly body: string }>(
        "SELECT row, body FROM messages WHERE row >= ? ORDER BY row LIMIT ?",
      )
      .all(Number(done ?? 0), ROWS_PER_STEP);
    for (const { row, body } of rows) addRow(search, row, body);
    const last = rows.at(-1);
    remember(db, last === undefined ? "all" : last.row + 1);
    return { result: last !== undefined, writes: true };
  });
}

function addRow(search: SearchIndex, row: number, body: string): void {
  try {
    search.replace(row, parseStored<Message>(body, `messages, row ${row}`));
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    // Whoever reads its session is told. Here it only cannot be found.
  }
}
