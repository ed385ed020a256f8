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
  listSummaries,
  type Page,
  readState,
  type Selection,
  type SessionBackend,
  type SessionDocument,
  SessionError,
  type SessionRecord,
  type SessionState,
  type StoreDescription,
  type SummaryRecord,
  stateAt,
  type Verification,
  type WatchTarget,
} from "@sessions/protocol/backend";
import { BackgroundRotations } from "./commit/background-rotations.js";
import { JournalCommitter } from "./commit/journal-committer.js";
import { readOnlyRefusal } from "./engine/root/access.js";
import { type ObservedSession, observedListed, observedState } from "./feed/observed-session.js";
import { watchChanges } from "./feed/watch-changes.js";
import type { JsonFileContext } from "./json-file-context.js";
import { Summaries } from "./listing/summaries.js";
import { Journal } from "./session/journal.js";
import { JournalCache } from "./session/journal-cache.js";
import { JournalFolder } from "./session/journal-folder.js";
import { folderName } from "./session/names/folder-name.js";
import { describeStore } from "./upkeep/describe-store.js";
import { verifySession } from "./upkeep/verify-session.js";

const CAPABILITIES: Capabilities = {
  groupCommit: "session",
  durable: { supported: true },
  multiProcess: { supported: true },
  search: {
    supported: false,
    reason: "Journals have no index. Search the files, or use a store that has one.",
  },
};

/** Sessions as a folder of journals, each folded by `applyCommit`. */
export class JsonFileBackend implements SessionBackend {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly leaseClock?: LeaseClock;
  readonly #context: JsonFileContext;
  readonly #journals: JournalCache<JournalCommitter>;
  readonly #rotations: BackgroundRotations;
  readonly #summaries: Summaries;

  constructor(context: JsonFileContext) {
    const { leaseClock, handles, cacheBudget } = context;
    this.#context = context;
    if (leaseClock !== undefined) this.leaseClock = leaseClock;
    const create = (name: string) => new JournalCommitter(new Journal(new JournalFolder(context, name)));
    this.#journals = new JournalCache(create, cacheBudget);
    handles.releaseIdle = () => this.#journals.releaseOne();
    handles.reserve();
    this.#rotations = new BackgroundRotations(context, (name, work) => this.#use(name, work));
    this.#summaries = new Summaries(
      context,
      (name, work) => this.#use(name, work),
      (name) => this.#rotations.beginExpired(name),
    );
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const { access, root, notifier } = this.#context;
    if (access.mode === "read-only") throw readOnlyRefusal(root, access.reason);
    const [first] = requests;
    if (first === undefined) return [];
    const name = folderName(first.sessionId);
    return this.#useTrusted(name, async (journal) => {
      const outcomes = await journal.commit(first.sessionId, requests);
      if (outcomes.some(({ status }) => status === "applied")) notifier.notify(name);
      const reason = journal.takeRotationReason();
      if (reason !== undefined) this.#rotations.begin(name, reason);
      return outcomes;
    });
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    return this.#withLiveState(sessionId, (state) => frozenRecord(readState(sessionId, state, select)));
  }

  document(sessionId: string): Promise<SessionDocument | undefined> {
    return this.#withLiveState(sessionId, (state) => frozen(documentOf(state)));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    const { handles, format } = this.#context;
    await handles.queue.run(async () => format.check());
    const summaries: SummaryRecord[] = [];
    for await (const listed of this.#summaries.all()) {
      if (listed.status === "live") summaries.push(listed.summary);
    }
    return listSummaries(summaries, query);
  }

  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change> {
    const { session } = target;
    const observe = (names: ReadonlySet<string> | "all"): AsyncIterable<ObservedSession> =>
      session === undefined ? this.#observe(names) : this.#observeOne(session);
    return watchChanges(target, signal, { ...this.#context, observe });
  }

  async verify(sessionId: string): Promise<Verification | undefined> {
    const { handles, format } = this.#context;
    const folder = new JournalFolder(this.#context, folderName(sessionId));
    const verification = await handles.queue.run(async () => {
      format.check();
      return verifySession(folder, sessionId);
    });
    if (verification?.ok === false) this.#forget(folder.name);
    return verification;
  }

  async describe(): Promise<StoreDescription> {
    return describeStore(this.#context, CAPABILITIES);
  }

  async close(): Promise<void> {
    await this.#rotations.settled();
    this.#journals.closeAll();
    this.#context.format.close();
    this.#context.handles.close();
    this.#context.notifier.close();
  }

  #use<Result>(name: string, work: (journal: JournalCommitter) => Promise<Result>): Promise<Result> {
    return this.#context.handles.queue.run(() => this.#journals.use(name, work));
  }

  /** Damage in the file must not be hidden by what is in memory from before. */
  async #useTrusted<Result>(
    name: string,
    work: (journal: JournalCommitter) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#use(name, work);
    } catch (error) {
      if (SessionError.is(error, "SESSION_CORRUPTED")) this.#forget(name);
      throw error;
    }
  }

  #forget(name: string): void {
    this.#summaries.forget(name);
    this.#journals.forget(name);
  }

  /** The state of a session now; a tombstone if it has expired. */
  #state(sessionId: string): Promise<SessionState | undefined> {
    return this.#useTrusted(folderName(sessionId), async ({ journal }) => {
      const head = await journal.read(sessionId);
      return stateAt(head?.fold.state, this.#context.now());
    });
  }

  async #withLiveState<Result>(
    sessionId: string,
    use: (state: LiveState) => Result,
  ): Promise<Result | undefined> {
    const state = await this.#state(sessionId);
    return state?.status === "live" ? use(state) : undefined;
  }

  /** The sessions in these folders, for a watcher of the store. */
  async *#observe(names: ReadonlySet<string> | "all"): AsyncGenerator<ObservedSession> {
    if (names === "all") {
      for await (const listed of this.#summaries.all()) yield observedListed(listed);
      return;
    }
    for (const name of names) {
      const listed = await this.#summaries.of(name);
      if (listed !== undefined) yield observedListed(listed);
    }
  }

  /** One session, for a watcher of it alone. Fails if it is damaged. */
  async *#observeOne(sessionId: string): AsyncGenerator<ObservedSession> {
    const state = await this.#state(sessionId);
    if (state !== undefined) yield observedState(sessionId, state);
  }
}
