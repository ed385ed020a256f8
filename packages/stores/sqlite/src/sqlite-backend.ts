import {
  type Capabilities,
  type Change,
  type CommitOutcome,
  type CommitRequest,
  documentOf,
  frozen,
  frozenRecord,
  type LeaseClock,
  type ListQuery,
  type LiveState,
  type Page,
  readState,
  requireOptions,
  type SearchHit,
  type SearchQuery,
  type Selection,
  type SessionBackend,
  type SessionDocument,
  SessionError,
  type SessionRecord,
  type StoreDescription,
  type SummaryRecord,
  stateAt,
  type Verification,
  type WatchTarget,
} from "@sessions/protocol/backend";
import { storedRunsOf } from "@sessions/row-engine";
import { WITHOUT_SEARCH } from "./capabilities.js";
import { commitRequests } from "./commit/commit-requests.js";
import { asSessionError, corrupted } from "./error-mapping.js";
import { Feed } from "./feed/feed.js";
import { listSessions } from "./listing/list-sessions.js";
import { searchSessions } from "./search/search-sessions.js";
import { withRows } from "./session/preload-rows.js";
import type { SessionEntry } from "./session/session-entry.js";
import { idOf, sortKeyOf } from "./session/sort-key.js";
import type { SqliteContext } from "./sqlite-context.js";
import { backUp } from "./upkeep/back-up.js";
import { BACKUP_OPTIONS, type BackupOptions } from "./upkeep/backup-options.js";
import { describeStore } from "./upkeep/describe-store.js";
import { type Salvaged, salvaged } from "./upkeep/salvaged.js";
import { Sweep } from "./upkeep/sweep.js";
import { verifySession } from "./upkeep/verify-session.js";

/** Sessions in one SQLite database. `applyCommit` decides commits, on states that are read as far as they are needed. */
export class SqliteBackend implements SessionBackend {
  readonly capabilities: Capabilities;
  readonly leaseClock?: LeaseClock;
  readonly search?: NonNullable<SessionBackend["search"]>;
  readonly #context: SqliteContext & { readonly onDamage: (id: string, error: unknown) => void };
  readonly #feed: Feed;
  readonly #sweep: Sweep;
  readonly #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #isClosed = false;

  constructor(given: SqliteContext) {
    const context = { ...given, onDamage: (id: string, error: unknown) => this.#warnOfDamage(id, error) };
    this.#context = context;
    if (context.leaseClock !== undefined) this.leaseClock = context.leaseClock;
    this.capabilities = context.isSearched
      ? { ...WITHOUT_SEARCH, search: { supported: true } }
      : WITHOUT_SEARCH;
    if (context.isSearched) this.search = (query) => this.#search(query);
    this.#sweep = new Sweep(context);
    this.#feed = new Feed({
      db: context.db,
      now: context.now,
      endExpired: () => this.#sweep.endExpired(),
      lastChange: () => context.tables.sessions.lastChange(),
      onFailure: (error) => this.#warn("feed", "Changes could not be looked for", error),
    });
    if (context.sweepIntervalMs > 0) {
      this.#timer = setInterval(() => void this.#sweepInBackground(), context.sweepIntervalMs);
      this.#timer.unref();
    }
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    try {
      const { hasWritten, outcomes } = await commitRequests(this.#context, requests);
      if (hasWritten) this.#feed.publish();
      return outcomes;
    } catch (error) {
      const failure = asSessionError(error, this.#context.path);
      if (!SessionError.is(failure, "STORE_BUSY")) throw failure;
      // Nothing was written, and waiting again for each of them would only take longer.
      return requests.map(() => ({ status: "rejected", error: failure }));
    }
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    const { messages } = select;
    return this.#withState(sessionId, (state) => {
      const record = readState(sessionId, state, select);
      // A message that is not found by its id may be one whose row is missing.
      if (typeof messages === "object" && "ids" in messages && record.messages.length < messages.ids.length)
        this.#context.rows.messages.requireAll(storedRunsOf(state.history));
      return frozenRecord(record);
    });
  }

  document(sessionId: string): Promise<SessionDocument | undefined> {
    return this.#withState(sessionId, (state) => frozen(documentOf(state)));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    const { transactions, now, path } = this.#context;
    try {
      return await transactions.read(() => frozen(listSessions(this.#context, query, now())));
    } catch (error) {
      throw asSessionError(error, path);
    }
  }

  async *watch(target: WatchTarget, signal: AbortSignal): AsyncGenerator<Change> {
    try {
      yield* this.#feed.watch(target, signal);
    } catch (error) {
      throw asSessionError(error, this.#context.path, target.session);
    }
  }

  verify(sessionId: string): Promise<Verification | undefined> {
    const { rows, path, sessions, share, transactions } = this.#context;
    const read = (): Promise<LiveState | undefined> => this.#remains(sessionId, (state) => state);
    const requireComplete = (): Promise<void> => transactions.read(() => sessions.requireComplete(sessionId));
    const countReadable = async (): Promise<number> =>
      (await this.salvage(sessionId))?.document.messages.length ?? 0;
    const context = { messages: rows.messages, path, share, read, requireComplete, countReadable };
    return verifySession(context, sessionId);
  }

  async describe(): Promise<StoreDescription> {
    return describeStore(this.#context, this.capabilities);
  }

  /** Does now what the store does by itself every minute. */
  async sweep(): Promise<void> {
    this.#refuseClosed();
    this.#sweeping ??= this.#sweep.run().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** The id of every session, of deleted and of unreadable ones too, in order. */
  async *sessionIds(): AsyncGenerator<string> {
    let after: Buffer | undefined = Buffer.alloc(0);
    while (after !== undefined) {
      const keys: readonly Buffer[] = await this.#sortKeysAfter(after);
      // The sort key, and not the id: calls find a row by it, also one whose id is damaged.
      for (const key of keys) yield idOf(key);
      after = keys.at(-1);
    }
  }

  /** Removes the rows of a session, which need not be readable, without a tombstone. */
  async removeRows(sessionId: string): Promise<void> {
    this.#refuseClosed();
    const { tables, transactions, sessions, path } = this.#context;
    try {
      await transactions.write(() => {
        const row = tables.sessions.get(sortKeyOf(sessionId));
        if (row === undefined) return { result: undefined, writes: false };
        tables.logs.leaveAllOf(row.key);
        tables.sessions.forget([row.key]);
        return { result: undefined, writes: true, committed: () => sessions.forget(sessionId) };
      });
    } catch (error) {
      throw asSessionError(error, path, sessionId);
    }
    await this.sweep();
  }

  /** What can be read of a session. `undefined` if there is none. */
  async salvage(sessionId: string): Promise<Salvaged | undefined> {
    this.#refuseClosed();
    return this.#remains(sessionId, (state) => salvaged(state, this.#context.now()));
  }

  /** Whether the database has a search index, which this store need not offer. */
  async hasSearchIndex(): Promise<boolean> {
    this.#refuseClosed();
    const { search, transactions, path } = this.#context;
    try {
      return await transactions.read(() => {
        search.refresh();
        return search.isThere;
      });
    } catch (error) {
      throw asSessionError(error, path);
    }
  }

  /** Copies the database while it is used. */
  async backupTo(path: string, options: BackupOptions = {}): Promise<void> {
    this.#refuseClosed();
    const { db, files } = this.#context;
    const checked = requireOptions(options, BACKUP_OPTIONS);
    files.check();
    await backUp(db, path, checked);
    files.check();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#sweep.stop();
    this.#feed.close();
    await this.#sweeping?.catch((error: unknown) => this.#warn("sweep", "The sweep failed", error));
    this.#context.close();
  }

  #withState<Result>(sessionId: string, use: (state: LiveState) => Result): Promise<Result | undefined> {
    return this.#withEntry(sessionId, () => this.#context.sessions.get(sessionId), use);
  }

  /** The same for a session of which rows may be missing. */
  #remains<Result>(sessionId: string, use: (state: LiveState) => Result): Promise<Result | undefined> {
    const { sessions } = this.#context;
    const read = (): SessionEntry | undefined => {
      sessions.forget(sessionId); // what is on the disk counts, not what was read before
      return sessions.readUncached(sessionId);
    };
    return this.#withEntry(sessionId, read, use);
  }

  async #withEntry<Result>(
    sessionId: string,
    get: () => SessionEntry | undefined,
    use: (state: LiveState) => Result,
  ): Promise<Result | undefined> {
    const { transactions, now, path } = this.#context;
    try {
      return await withRows(this.#context, () =>
        transactions.read(() => {
          const state = stateAt(get()?.state, now());
          return state?.status === "live" ? use(state) : undefined;
        }),
      );
    } catch (error) {
      throw asSessionError(error, path, sessionId);
    }
  }

  async #search(query: SearchQuery): Promise<Page<SearchHit>> {
    try {
      return await searchSessions(this.#context, query);
    } catch (error) {
      throw asSessionError(error, this.#context.path);
    }
  }

  async #sortKeysAfter(key: Buffer): Promise<readonly Buffer[]> {
    this.#refuseClosed();
    const { db, transactions, path } = this.#context;
    const sql = "SELECT sort_key FROM sessions WHERE sort_key > ? ORDER BY sort_key LIMIT 1000";
    try {
      return await transactions.read(() => db.prepare<[Buffer], Buffer>(sql).pluck().all(key));
    } catch (error) {
      throw asSessionError(error, path);
    }
  }

  #refuseClosed(): void {
    if (this.#isClosed)
      throw SessionError.of("STORE_CLOSED", "The store is closed. Open it again to use it.", {});
  }

  async #sweepInBackground(): Promise<void> {
    try {
      await this.sweep();
      this.#context.warnings.clear("sweep");
      this.#feed.publish();
    } catch (error) {
      this.#warn("sweep", "The sweep failed, and will try again", error);
    }
  }

  #warnOfDamage(id: string, error: unknown): void {
    const { message } = corrupted(error, this.#context.path, id);
    this.#context.warnings.set(
      `damage ${id}`,
      `Session "${id}" cannot be read and is left out of lists: ${message}`,
    );
  }

  #warn(topic: string, what: string, error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    this.#context.warnings.set(topic, `${what}: ${problem}`);
  }
}
