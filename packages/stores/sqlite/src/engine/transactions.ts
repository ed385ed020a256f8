import type Database from "better-sqlite3";
import { hasCode, isDamage, newerFormat, unconfirmed } from "../error-mapping.js";
import type { DatabaseFiles } from "./database-files.js";
import { SCHEMA_VERSION } from "./migrations/migrations.js";
import { preparedStatement } from "./prepared-statement.js";
import { retryWhileBusy } from "./retry-while-busy.js";

/** The work of a transaction: its result, and whether there is anything to commit. */
export interface Worked<Result> {
  readonly result: Result;
  readonly writes: boolean;
  /** Called right after the commit, before anything else runs: caches learn then what was written. */
  readonly committed?: () => void;
}

/** Learns about transactions. */
interface TransactionListener {
  /** One has begun. `dataVersion` is another one if another connection has written since the last time. */
  began(dataVersion: number): void;
  rolledBack(): void;
}

interface TransactionsContext {
  readonly db: Database.Database;
  readonly files: DatabaseFiles;
  readonly path: string;
  readonly deadlineMs: number;
  readonly listener: TransactionListener;
}

/** Transactions on one connection. What runs inside one is synchronous, so no other work of the process runs in between. */
export class Transactions {
  readonly #context: TransactionsContext;
  readonly #begin: Database.Statement;
  readonly #beginImmediate: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;
  readonly #dataVersion: Database.Statement<[], number>;
  readonly #userVersion: Database.Statement<[], number>;
  #lastDataVersion = -1;

  constructor(context: TransactionsContext) {
    const { db } = context;
    this.#context = context;
    this.#begin = db.prepare("BEGIN");
    this.#beginImmediate = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#rollback = db.prepare("ROLLBACK");
    this.#dataVersion = preparedStatement<[], number>(db, "PRAGMA data_version").pluck();
    this.#userVersion = preparedStatement<[], number>(db, "PRAGMA user_version").pluck();
  }

  /** Reads: everything that `work` sees is of one moment. Writers are not held up. */
  read<Result>(work: () => Result): Promise<Result> {
    return retryWhileBusy(() => this.#checkingFiles(() => this.#readNow(work)), this.#context);
  }

  /** Writes. Waits for other writers until the deadline (STORE_BUSY); the event loop goes on meanwhile. */
  write<Result>(work: () => Worked<Result>): Promise<Result> {
    return retryWhileBusy(() => this.#checkingFiles(() => this.#writeNow(work)), this.#context);
  }

  /** SQLite reports a file that was truncated or replaced as damaged. */
  #checkingFiles<Result>(attempt: () => Result): Result {
    try {
      return attempt();
    } catch (error) {
      if (isDamage(error)) this.#context.files.check();
      throw error;
    }
  }

  #readNow<Result>(work: () => Result): Result {
    this.#context.files.checkNowAndThen();
    this.#begin.run();
    try {
      this.#began();
      return work();
    } finally {
      this.#end();
    }
  }

  #writeNow<Result>(work: () => Worked<Result>): Result {
    this.#beginImmediate.run();
    let isCommitted = false;
    try {
      this.#began();
      const { result, writes, committed } = work();
      if (writes) this.#commitNow();
      isCommitted = writes;
      if (writes) committed?.();
      return result;
    } finally {
      if (!isCommitted) {
        this.#context.listener.rolledBack();
        this.#end();
      }
    }
  }

  /** The schema may have been migrated by another process since: its data must not be written by this version. */
  #began(): void {
    const dataVersion = this.#dataVersion.get() ?? 0;
    if (dataVersion !== this.#lastDataVersion) {
      const version = this.#userVersion.get() ?? 0;
      if (version > SCHEMA_VERSION) throw newerFormat(version);
      this.#lastDataVersion = dataVersion;
    }
    this.#context.listener.began(dataVersion);
  }

  #commitNow(): void {
    const { files, path } = this.#context;
    files.check();
    try {
      this.#commit.run();
    } catch (error) {
      // The frames may be on the disk although nothing confirmed it: after a crash they could count.
      throw hasCode(error, "SQLITE_IOERR") ? unconfirmed(path, error) : error;
    }
  }

  #end(): void {
    // After some failures SQLite has rolled back by itself.
    if (this.#context.db.inTransaction) this.#rollback.run();
  }
}
