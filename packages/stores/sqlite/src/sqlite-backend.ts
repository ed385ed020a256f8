import {
  type Capabilities,
  type Change,
  type CommitOutcome,
  type CommitRequest,
  documentOf,
  frozen,
  frozenRecord,
  type ListQuery,
  type LiveState,
  type Page,
  readState,
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
} from "@sessions/protocol";
import { CommitBatch } from "./commit-batch.js";
import { describeStore } from "./describe-store.js";
import { asSessionError, corrupted } from "./error-mapping.js";
import { faultIn } from "./fault-in.js";
import { Feed } from "./feed.js";
import { listSessions } from "./list-sessions.js";
import type { SqliteContext } from "./sqlite-context.js";
import { NOTHING_STAGED } from "./staging.js";
import { Sweep } from "./sweep.js";
import { verifySession } from "./verify-session.js";

const CAPABILITIES: Capabilities = {
  groupCommit: "store",
  durable: { supported: true },
  multiProcess: { supported: true },
  independentWriters: {
    supported: false,
    reason:
      "SQLite has one writer at a time: while one stands still in a transaction, the others wait until their deadline.",
  },
  search: { supported: false, reason: "The store was opened without `search: true`." },
};

/** Sessions in one SQLite database. Commits are decided by `applyCommit` on states that are read as far as needed. */
export class SqliteBackend implements SessionBackend {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #context: SqliteContext;
  readonly #feed: Feed;
  readonly #sweep: Sweep;
  readonly #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(context: SqliteContext) {
    this.#context = context;
    const onDamage = (id: string, error: unknown): void => this.#noteDamage(id, error);
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
    const { path } = this.#context;
    try {
      const batch = await faultIn(this.#context, (whole) => this.#attempt(requests, whole));
      if (batch.written.length > 0) this.#feed.tell();
      return batch.outcomes;
    } catch (error) {
      const failure = asSessionError(error, path);
      // Nothing was written, and waiting once more for each of them would only take longer.
      if (SessionError.is(failure, "STORE_BUSY"))
        return requests.map(() => ({ status: "rejected", error: failure }));
      throw failure;
    }
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    return this.#withState(sessionId, (state) => frozenRecord(readState(sessionId, state, select)));
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

  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change> {
    return this.#feed.watch(target, signal);
  }

  async verify(sessionId: string): Promise<Verification | undefined> {
    const { rows, path, sessions } = this.#context;
    const read = (): Promise<LiveState | undefined> => {
      sessions.forget(sessionId);
      return this.#withState(sessionId, (state) => state);
    };
    return verifySession({ rows, path, read }, sessionId);
  }

  async describe(): Promise<StoreDescription> {
    return describeStore(this.#context, this.capabilities);
  }

  /** Does now what the store does by itself now and then. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep.run().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#sweep.stop();
    await this.#sweeping?.catch((error: unknown) => this.#note("sweep", "The sweep failed", error));
    this.#context.close();
  }

  async #attempt(
    requests: readonly CommitRequest[],
    whole: <Value>(work: () => Value) => Value,
  ): Promise<CommitBatch> {
    const { transactions } = this.#context;
    const decided = (): CommitBatch =>
      whole(() => {
        const batch = new CommitBatch(this.#context, NOTHING_STAGED);
        for (const request of requests) batch.decide(request);
        return batch;
      });
    // Those who only ask whether a commit is known need not wait for writers.
    if (requests.every(({ ops }) => ops.length === 0)) return transactions.read(decided);
    const batch = await transactions.write(() => {
      const result = decided();
      result.write();
      return { result, writes: result.written.length > 0 };
    });
    batch.remember();
    return batch;
  }

  async #withState<Result>(
    sessionId: string,
    use: (state: LiveState) => Result,
  ): Promise<Result | undefined> {
    const { transactions, sessions, now, path } = this.#context;
    try {
      return await faultIn(this.#context, (whole) =>
        transactions.read(() => {
          const state = stateAt(sessions.get(sessionId)?.state, now());
          return state?.status === "live" ? whole(() => use(state)) : undefined;
        }),
      );
    } catch (error) {
      throw asSessionError(error, path, sessionId);
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
    this.#context.notes.take(`damage ${id}`, corrupted(error, this.#context.path, id).message);
  }

  #note(topic: string, what: string, error: unknown): void {
    this.#context.notes.take(topic, `${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
