import { setImmediate as nextTask } from "node:timers/promises";
import type { Run } from "@sessions/protocol/backend";
import { stateAt, TOMBSTONE_MS } from "@sessions/protocol/backend";
import type Database from "better-sqlite3";
import type { CommitContext } from "../commit/commit-batch.js";
import { isDamage } from "../error-mapping.js";
import { holesBetween, rowsIn } from "./row-ranges.js";
import { writeSession } from "../commit/write-session.js";
import type { SessionRow } from "../engine/statements.js";
import type { StoredSession } from "../stored-session.js";
import { TransactionEffects } from "../transaction-effects.js";
import type { Transactions } from "../engine/transactions.js";

/** So much is done in one transaction: others want to write too. */
const ENDED_AT_ONCE = 50;
const REMOVED_AT_ONCE = 500;

/** Rows that a commit wrote ahead and never used. It has long failed by then, or will notice. */
const STAGED_FOR_MS = 3_600_000;

interface SweepContext extends CommitContext {
  readonly db: Database.Database;
  readonly transactions: Transactions;
  readonly onDamage: (id: string, error: unknown) => void;
}

interface LogRow {
  readonly id: number;
  readonly owner: number | null;
  readonly layout: number;
  readonly staged_at: number | null;
}

/** Ends what has expired, forgets what ended long ago, and removes rows that nobody holds. In small steps. */
export class Sweep {
  readonly #context: SweepContext;
  #isStopped = false;

  constructor(context: SweepContext) {
    this.#context = context;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    await this.buryExpired();
    await this.#repeat(() => this.#forgetSome());
    for (const log of this.#logsToPrune()) await this.#repeat(() => this.#pruneSome(log));
  }

  /** Sessions whose time has come get their tombstone. */
  async buryExpired(): Promise<void> {
    await this.#repeat(() => this.#burySome());
  }

  /** Until there is nothing left to do; others get their turns in between. */
  async #repeat(step: () => Promise<boolean>): Promise<void> {
    while (!this.#isStopped && (await step())) await nextTask();
  }

  async #burySome(): Promise<boolean> {
    const { db, transactions, sessions, now } = this.#context;
    const at = now();
    const due = db
      .prepare<[number, number], string>("SELECT id FROM sessions WHERE expires_at <= ? LIMIT ?")
      .pluck();
    if (due.get(at, 1) === undefined) return false;
    const effects = new TransactionEffects();
    const buried = await transactions.write(() => {
      const written = due.all(at, ENDED_AT_ONCE).flatMap((id) => this.#bury(id, at, effects));
      return { result: written, writes: written.length > 0 };
    });
    effects.remember(this.#context.rows.cache);
    for (const session of buried) sessions.put(session);
    return buried.length === ENDED_AT_ONCE;
  }

  #bury(id: string, at: number, effects: TransactionEffects): readonly StoredSession[] {
    const { sessions } = this.#context;
    const before = this.#readable(id, () => sessions.get(id));
    const after = stateAt(before?.state, at);
    if (before === undefined || after === undefined || after === before.state) return [];
    const context = { ...this.#context, effects, now: at };
    return [writeSession(context, { id, before, after, ops: [], staged: undefined })];
  }

  async #forgetSome(): Promise<boolean> {
    const { db, transactions, sessions, now } = this.#context;
    const until = now() - TOMBSTONE_MS;
    const due = db.prepare<[number, number], { readonly key: number; readonly id: string }>(
      "SELECT key, id FROM sessions WHERE deleted_at <= ? LIMIT ?",
    );
    if (due.get(until, 1) === undefined) return false;
    const forgotten = await transactions.write(() => {
      const rows = due.all(until, ENDED_AT_ONCE);
      // Their numbers must not be given again: a watcher may have come as far as that.
      db.prepare("INSERT OR REPLACE INTO store (name, value) VALUES ('forgotten change', ?)").run(
        String(this.#context.statements.lastChange.get() ?? 0),
      );
      for (const { key } of rows) db.prepare("DELETE FROM sessions WHERE key = ?").run(key);
      return { result: rows, writes: rows.length > 0 };
    });
    for (const { id } of forgotten) sessions.forget(id);
    return forgotten.length === ENDED_AT_ONCE;
  }

  #logsToPrune(): readonly number[] {
    const sql = "SELECT id FROM logs WHERE (dirty = 1 AND staged_at IS NULL) OR staged_at < ?";
    return this.#context.db
      .prepare<[number], number>(sql)
      .pluck()
      .all(this.#context.now() - STAGED_FOR_MS);
  }

  /** Removes some rows of a log that nobody holds. Says whether there may be more. */
  async #pruneSome(log: number): Promise<boolean> {
    return this.#context.transactions.write(() => {
      const found = this.#context.db
        .prepare<[number], LogRow>("SELECT id, owner, layout, staged_at FROM logs WHERE id = ?")
        .get(log);
      const isWaited = found?.staged_at != null && found.staged_at >= this.#context.now() - STAGED_FOR_MS;
      const holders = found === undefined || isWaited ? undefined : this.#holdersOf(found);
      if (found === undefined || holders === undefined) return { result: false, writes: false };
      const held = holders.flatMap((holder) => holder.runs);
      const removed = holesBetween(held, log).some((hole) => this.#remove(hole));
      if (removed) this.#relay(found, holders);
      else this.#clean(found, holders);
      return { result: removed, writes: true };
    });
  }

  /** Everybody who may hold rows of a log. `undefined` if that cannot be said. */
  #holdersOf({ id: log, owner }: LogRow): readonly Holder[] | undefined {
    const { statements, db } = this.#context;
    const leaners = db.prepare<[number], number>("SELECT key FROM leans WHERE log = ?").pluck().all(log);
    const rows = [...(owner === null ? [] : [owner]), ...leaners].flatMap(
      (key) => statements.sessionByKey.get(key) ?? [],
    );
    const holders = rows.map((row) => this.#holder(row, log));
    return holders.some((holder) => holder === undefined)
      ? undefined
      : holders.flatMap((holder) => holder ?? []);
  }

  #holder(row: SessionRow, log: number): Holder | undefined {
    const session = this.#readable(row.id, () => this.#context.sessions.of(row));
    if (session === undefined) return undefined;
    if (session.state.status !== "live") return { session, runs: [], shared: [] };
    const { history, snapshots } = session.state;
    const kept = snapshots.map((snapshot) => snapshot.history);
    const runs = rowsIn([history, ...kept], log);
    return { session, runs, shared: session.log?.id === log ? rowsIn(kept, log) : runs };
  }

  #remove({ from, to }: Run): boolean {
    const { db, statements, search } = this.#context;
    const last = db
      .prepare<[number, number, number], number>(
        "SELECT max(row) FROM (SELECT row FROM messages WHERE row >= ? AND row < ? ORDER BY row LIMIT ?)",
      )
      .pluck()
      .get(from, to, REMOVED_AT_ONCE);
    if (last === undefined || last === null) return false;
    statements.deleteMessages.run(from, last + 1);
    statements.deleteFragments.run(from, last + 1);
    search.drop(from, last + 1);
    return true;
  }

  /** Whoever has read the removed rows must not take them for current. */
  #relay({ id, layout }: LogRow, holders: readonly Holder[]): void {
    this.#context.db.prepare("UPDATE logs SET layout = ? WHERE id = ?").run(layout + 1, id);
    for (const { session } of holders) this.#context.sessions.forget(session.id);
  }

  #clean({ id, owner }: LogRow, holders: readonly Holder[]): void {
    const { db, sessions } = this.#context;
    for (const { session, runs } of holders) {
      if (runs.length === 0 && session.key !== owner)
        db.prepare("DELETE FROM leans WHERE key = ? AND log = ?").run(session.key, id);
    }
    const isUsed = owner !== null || holders.some(({ runs }) => runs.length > 0);
    if (!isUsed) db.prepare("DELETE FROM logs WHERE id = ?").run(id);
    else
      db.prepare("UPDATE logs SET dirty = 0, staged_at = NULL, shared_until = ? WHERE id = ?").run(
        sharedUntil(holders),
        id,
      );
    sessions.shares.delete(id);
    for (const { session } of holders) sessions.forget(session.id);
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

interface Holder {
  readonly session: StoredSession;
  readonly runs: readonly Run[];
  /** Those that its owner must not change: they are in a snapshot, or in another session. */
  readonly shared: readonly Run[];
}

function sharedUntil(holders: readonly Holder[]): number {
  return holders.flatMap(({ shared }) => shared).reduce((until, { to }) => Math.max(until, to), 0);
}
