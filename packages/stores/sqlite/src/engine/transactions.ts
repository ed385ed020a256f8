import type { DatabaseFiles } from "./database-files.js";
import { hasCode, isDamage, unconfirmed } from "../error-mapping.js";
import { patiently } from "./retry-while-busy.js";
import type { Sessions } from "../session/session-cache.js";
import type { Statements } from "./statements.js";

/** The work of a transaction: what it comes to, and whether there is anything to commit. */
export interface Worked<Result> {
  readonly result: Result;
  readonly writes: boolean;
}

interface TransactionsContext {
  readonly statements: Statements;
  readonly sessions: Sessions;
  readonly files: DatabaseFiles;
  readonly path: string;
  readonly deadlineMs: number;
}

/** Transactions on one connection. What runs inside one is synchronous: nobody else gets in between. */
export class Transactions {
  readonly #context: TransactionsContext;

  constructor(context: TransactionsContext) {
    this.#context = context;
  }

  /** Reads: everything that `work` sees is of one moment. Writers are not held up. */
  async read<Result>(work: () => Result): Promise<Result> {
    return patiently(() => this.#onItsFiles(() => this.#readNow(work)), this.#context);
  }

  /** Writes. Waits for other writers without holding up the event loop, until the deadline (STORE_BUSY). */
  async write<Result>(work: () => Worked<Result>): Promise<Result> {
    return patiently(() => this.writeNow(work), this.#context);
  }

  /** Writes at once, or fails because somebody else does. */
  writeNow<Result>(work: () => Worked<Result>): Result {
    return this.#onItsFiles(() => this.#writeNow(work));
  }

  /** Of a file that was truncated or replaced SQLite says that it is damaged. */
  #onItsFiles<Result>(attempt: () => Result): Result {
    try {
      return attempt();
    } catch (error) {
      if (isDamage(error)) this.#context.files.check();
      throw error;
    }
  }

  #readNow<Result>(work: () => Result): Result {
    const { statements, sessions, files } = this.#context;
    files.checkNowAndThen();
    statements.begin.run();
    try {
      sessions.begin();
      return work();
    } finally {
      this.#end();
    }
  }

  #writeNow<Result>(work: () => Worked<Result>): Result {
    const { statements, sessions } = this.#context;
    statements.beginImmediate.run();
    let committed = false;
    try {
      sessions.begin();
      const { result, writes } = work();
      if (writes) this.#commit();
      committed = writes;
      return result;
    } finally {
      if (!committed) this.#rollBack();
    }
  }

  #commit(): void {
    const { statements, files, path } = this.#context;
    files.check();
    try {
      statements.commit.run();
    } catch (error) {
      // The frames may be on the disk although nobody confirmed it: after a crash they could count.
      throw hasCode(error, "SQLITE_IOERR") ? unconfirmed(path, error) : error;
    }
  }

  #rollBack(): void {
    this.#context.sessions.rolledBack();
    this.#end();
  }

  #end(): void {
    const { rollback } = this.#context.statements;
    // SQLite itself rolls back after some failures.
    if (rollback.database.inTransaction) rollback.run();
  }
}
