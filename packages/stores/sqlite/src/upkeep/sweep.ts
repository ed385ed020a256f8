import { type LoopShare, stateAt, TOMBSTONE_MS } from "@sessions/protocol/backend";
import type { Run } from "@sessions/row-engine";
import type Database from "better-sqlite3";
import type { WriteContext } from "../commit/write-context.js";
import { rememberWritten, type WrittenSession, writeSession } from "../commit/write-session.js";
import { preparedStatement } from "../engine/prepared-statement.js";
import type { LogRow } from "../engine/tables/logs-table.js";
import type { Transactions } from "../engine/transactions.js";
import { isDamage } from "../error-mapping.js";
import { heldRuns, type SessionEntry } from "../session/session-entry.js";
import { rowsOutside } from "./row-ranges.js";

/** How much is done in one transaction: other writers wait for it. */
const SESSIONS_PER_STEP = 50;
const ROWS_PER_STEP = 500;

/** After this time, rows that were staged for a commit are swept: it has failed by then, or writes them again. */
const STAGED_MS = 3_600_000;

interface SweepContext extends WriteContext {
  readonly db: Database.Database;
  readonly transactions: Transactions;
  readonly share: LoopShare;
  readonly onDamage: (id: string, error: unknown) => void;
}

/** Ends sessions that have expired, forgets tombstones, and removes rows that no session refers to. In small steps. */
export class Sweep {
  readonly #context: SweepContext;
  readonly #expired: Database.Statement<[at: number, limit: number], string>;
  readonly #forgettable: Database.Statement<
    [until: number, limit: number],
    { readonly key: number; readonly id: string }
  >;
  #isStopped = false;

  constructor(context: SweepContext) {
    const { db } = context;
    this.#context = context;
    this.#expired = preparedStatement<[number, number], string>(
      db,
      "SELECT id FROM sessions WHERE expires_at <= ? LIMIT ?",
    ).pluck();
    this.#forgettable = preparedStatement(db, "SELECT key, id FROM sessions WHERE deleted_at <= ? LIMIT ?");
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    await this.endExpired();
    await this.#repeat(() => this.#forgetTombstones());
    const { tables, now } = this.#context;
    for (const log of tables.logs.toSweep(now() - STAGED_MS)) await this.#repeat(() => this.#sweepLog(log));
  }

  /** Sessions that have expired become tombstones. */
  async endExpired(): Promise<void> {
    await this.#repeat(() => this.#endSomeExpired());
  }

  /** Until there is nothing left to do. Other events of the process run in between. */
  async #repeat(step: () => Promise<boolean>): Promise<void> {
    while (!this.#isStopped && (await step())) await this.#context.share.afterOthers();
  }

  async #endSomeExpired(): Promise<boolean> {
    const { transactions, now } = this.#context;
    const at = now();
    if (this.#expired.get(at, 1) === undefined) return false;
    return transactions.write(() => {
      const ended = this.#expired.all(at, SESSIONS_PER_STEP).flatMap((id) => this.#end(id, at));
      const committed = (): void => {
        for (const written of ended) rememberWritten(this.#context, written);
      };
      return { result: ended.length === SESSIONS_PER_STEP, writes: ended.length > 0, committed };
    });
  }

  #end(id: string, at: number): readonly WrittenSession[] {
    const before = this.#readable(id, () => this.#context.sessions.get(id));
    const after = stateAt(before?.state, at);
    if (before === undefined || after === undefined || after === before.state) return [];
    return [writeSession(this.#context, { id, before, after, ops: [], staged: undefined })];
  }

  async #forgetTombstones(): Promise<boolean> {
    const { transactions, sessions, tables, now } = this.#context;
    const until = now() - TOMBSTONE_MS;
    if (this.#forgettable.get(until, 1) === undefined) return false;
    return transactions.write(() => {
      const rows = this.#forgettable.all(until, SESSIONS_PER_STEP);
      tables.sessions.forget(rows.map(({ key }) => key));
      const committed = (): void => {
        for (const { id } of rows) sessions.forget(id);
      };
      return { result: rows.length === SESSIONS_PER_STEP, writes: rows.length > 0, committed };
    });
  }

  /** Removes some rows of a log that no session refers to. `true` if there may be more. */
  #sweepLog(log: number): Promise<boolean> {
    const { transactions, tables, now } = this.#context;
    return transactions.write(() => {
      const found = tables.logs.get(log);
      const isStaged = found?.staged_at != null && found.staged_at >= now() - STAGED_MS;
      const sessions = found === undefined || isStaged ? undefined : this.#sessionsOf(log);
      if (found === undefined || sessions === undefined) return { result: false, writes: false };
      const hasRemoved = rowsOutside(sessions.flatMap(runsOf), log).some((run) => this.#remove(run));
      if (!hasRemoved) this.#finish(found, sessions);
      return { result: hasRemoved, writes: true };
    });
  }

  /** Every session that may refer to rows of a log. `undefined` if one of them cannot be read. */
  #sessionsOf(log: number): readonly SessionEntry[] | undefined {
    const { tables, sessions } = this.#context;
    const entries: SessionEntry[] = [];
    for (const key of tables.logs.sessionsOf(log)) {
      const row = tables.sessions.byKey(key);
      const entry = row && this.#readable(row.id, () => sessions.of(row));
      if (row !== undefined && entry === undefined) return undefined;
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  #remove({ from, to }: Run): boolean {
    const { tables, search } = this.#context;
    const last = tables.messages.lastOf(from, to, ROWS_PER_STEP);
    if (last === undefined) return false;
    tables.messages.delete(from, last + 1);
    search.drop(from, last + 1);
    return true;
  }

  /** A log without an owner that no session refers to is removed. */
  #finish({ id, owner }: LogRow, sessions: readonly SessionEntry[]): void {
    const { logs } = this.#context.tables;
    const isUsed = owner !== null || sessions.some((entry) => entry.logs.has(id));
    if (isUsed) logs.markClean(id);
    else logs.delete(id);
  }

  #readable<Result>(id: string, read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#context.onDamage(id, error);
      return undefined;
    }
  }
}

function runsOf({ stored }: SessionEntry): readonly Run[] {
  return heldRuns(stored).flatMap((runs) => runs.list);
}
