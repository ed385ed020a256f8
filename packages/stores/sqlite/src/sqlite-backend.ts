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
import { backUp } from "./upkeep/back-up.js";
import { BACKUP_OPTIONS, type BackupOptions } from "./upkeep/backup-options.js";
import { WITHOUT_SEARCH } from "./capabilities.js";
import { Commits } from "./commit/commit-requests.js";
import { describeStore } from "./upkeep/describe-store.js";
import { asSessionError, corrupted } from "./error-mapping.js";
import { faultIn } from "./session/preload-rows.js";
import { Feed } from "./feed/feed.js";
import { listSessions } from "./listing/list-sessions.js";
import { runsOf } from "./runs-of.js";
import { type Salvaged, salvaged } from "./upkeep/salvage-session.js";
import { findSome, type PlacedHit, pageOf, searchOf, startOf } from "./search/search-messages.js";
import type { SqliteContext } from "./sqlite-context.js";
import type { StoredSession } from "./stored-session.js";
import { Sweep } from "./upkeep/sweep.js";
import { verifySession } from "./upkeep/verify-session.js";

/** Sessions in one SQLite database. Commits are decided by `applyCommit` on states that are read as far as needed. */
export class SqliteBackend implements SessionBackend {
  readonly capabilities: Capabilities;
  readonly leaseClock?: LeaseClock;
  readonly search?: NonNullable<SessionBackend["search"]>;
  readonly #context: SqliteContext;
  readonly #commits: Commits;
  readonly #feed: Feed;
  readonly #sweep: Sweep;
  readonly #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #isClosed = false;

  constructor(context: SqliteContext) {
    this.#context = context;
    if (context.leaseClock !== undefined) this.leaseClock = context.leaseClock;
    this.capabilities = context.isSearched
      ? { ...WITHOUT_SEARCH, search: { supported: true } }
      : WITHOUT_SEARCH;
    if (context.isSearched) this.search = (query) => this.#found(query);
    const onDamage = (id: string, error: unknown): void => this.#noteDamage(id, error);
    this.#commits = new Commits(context);
    this.#sweep = new Sweep({ ...context, onDamage });
    this.#feed = new Feed({
      db: context.db,
      now: context.now,
      bury: () => this.#sweep.buryExpired(),
      lastChange: () => context.statements.lastChange.get() ?? 0,
      onFailure: (error) => this.#note("feed", "Changes could not be looked for", error),
    });
    if (context.sweepIntervalMs > 0) {
      this.#timer = setInterval(() => void this.#sweepQuietly(), context.sweepIntervalMs);
      this.#timer.unref();
    }
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    try {
      const { hasWritten, outcomes } =
        this.#commits.now(requests) ?? (await this.#commits.patiently(requests));
      if (hasWritten) this.#feed.tell();
      return outcomes;
    } catch (error) {
      return this.#refused(requests, error);
    }
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    const { messages } = select;
    return this.#withState(sessionId, (state) => {
      const record = readState(sessionId, state, select);
      // A message that is not found by its id may be one whose row is gone.
      if (typeof messages === "object" && "ids" in messages && record.messages.length < messages.ids.length)
        this.#context.rows.requireAll(runsOf(state.history));
      return frozenRecord(record);
    });
  }

  document(sessionId: string): Promise<SessionDocument | undefined> {
    return this.#withState(sessionId, (state) => frozen(documentOf(state)));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    const { transactions, now, path } = this.#context;
    const onDamage = (id: string, error: unknown): void => this.#noteDamage(id, error);
    try {
      return await transactions.read(() =>
        frozen(listSessions({ ...this.#context, onDamage }, query, now())),
      );
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

  async verify(sessionId: string): Promise<Verification | undefined> {
    const { rows, path, sessions, transactions } = this.#context;
    const remains = (): StoredSession | undefined => sessions.remains(sessionId);
    const read = (): Promise<LiveState | undefined> => this.#withState(sessionId, (state) => state, remains);
    const requireComplete = async (): Promise<void> =>
      transactions.read(() => sessions.requireComplete(sessionId));
    return verifySession({ rows, path, read, requireComplete }, sessionId);
  }

  async describe(): Promise<StoreDescription> {
    return describeStore(this.#context, this.capabilities);
  }

  /** Does now what the store does by itself now and then. */
  async sweep(): Promise<void> {
    this.#refuseClosed();
    this.#sweeping ??= this.#sweep.run().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** The id of every session that there is or was, of those too that cannot be read. In order, a page at a time. */
  async *sessionIds(): AsyncGenerator<string> {
    for (let ids = await this.#idsAfter(""); ids.length > 0; ids = await this.#idsAfter(ids.at(-1) ?? ""))
      yield* ids;
  }

  /** What can be read of a session. `undefined` if there is none. */
  async salvage(sessionId: string): Promise<Salvaged | undefined> {
    this.#refuseClosed();
    const { sessions, now } = this.#context;
    const remains = (): StoredSession | undefined => sessions.remains(sessionId);
    return this.#withState(sessionId, (state) => salvaged(state, now()), remains);
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
    await this.#sweeping?.catch((error: unknown) => this.#note("sweep", "The sweep failed", error));
    this.#context.close();
  }

  async #idsAfter(id: string): Promise<readonly string[]> {
    this.#refuseClosed();
    const { db, transactions, path } = this.#context;
    const sql = "SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT 1000";
    try {
      return await transactions.read(() => db.prepare<[string], string>(sql).pluck().all(id));
    } catch (error) {
      throw asSessionError(error, path);
    }
  }

  #refuseClosed(): void {
    if (this.#isClosed)
      throw SessionError.of("STORE_CLOSED", "The store is closed. Open it again to use it.", {});
  }

  #refused(requests: readonly CommitRequest[], error: unknown): readonly CommitOutcome[] {
    const failure = asSessionError(error, this.#context.path);
    // Nothing was written, and waiting once more for each of them would only take longer.
    if (SessionError.is(failure, "STORE_BUSY"))
      return requests.map(() => ({ status: "rejected", error: failure }));
    throw failure;
  }

  async #withState<Result>(
    sessionId: string,
    use: (state: LiveState) => Result,
    get = (id: string): StoredSession | undefined => this.#context.sessions.get(id),
  ): Promise<Result | undefined> {
    const { transactions, now, path } = this.#context;
    try {
      return await faultIn(this.#context, (whole) =>
        transactions.read(() => {
          const state = stateAt(get(sessionId)?.state, now());
          return state?.status === "live" ? whole(() => use(state)) : undefined;
        }),
      );
    } catch (error) {
      throw asSessionError(error, path, sessionId);
    }
  }

  async #found(query: SearchQuery): Promise<Page<SearchHit>> {
    const { transactions, now, path, share } = this.#context;
    const onDamage = (id: string, error: unknown): void => this.#noteDamage(id, error);
    const search = searchOf(query, now());
    const found: PlacedHit[] = [];
    let place = startOf(query);
    if (search === undefined) return pageOf(found, 0);
    try {
      do {
        const from = place;
        const some = await transactions.read(() => findSome({ ...this.#context, onDamage }, search, from));
        found.push(...some.hits);
        place = some.next;
        await share.continue();
      } while (place !== undefined && found.length <= search.limit);
      return frozen(pageOf(found, search.limit));
    } catch (error) {
      throw asSessionError(error, path);
    }
  }

  async #sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
      this.#context.notes.drop("sweep");
      this.#feed.tell();
    } catch (error) {
      this.#note("sweep", "The sweep failed, and will try again", error);
    }
  }

  #noteDamage(id: string, error: unknown): void {
    const { message } = corrupted(error, this.#context.path, id);
    this.#context.notes.take(`damage ${id}`, `Session "${id}" is damaged and was left out: ${message}`);
  }

  #note(topic: string, what: string, error: unknown): void {
    this.#context.notes.take(topic, `${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
