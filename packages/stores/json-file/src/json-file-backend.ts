import { join } from "node:path";
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
  type StoreDescription,
  type SummaryRecord,
  stateAt,
  type Verification,
  type WatchTarget,
} from "@sessions/protocol/backend";
import { readOnlyRefusal } from "./access.js";
import { asSessionError } from "./error-mapping.js";
import { FolderNames } from "./folder-names.js";
import { Journal } from "./journal.js";
import { JournalCache } from "./journal-cache.js";
import { JOURNAL_VERSION } from "./journal-line.js";
import { JournalPlace } from "./journal-place.js";
import type { JsonFileContext } from "./json-file-context.js";
import type { Occasion } from "./rotation.js";
import type { Segment } from "./segment.js";
import { type Sighting, sightingOf } from "./sighting.js";
import { Summaries } from "./summaries.js";
import { verified } from "./verified.js";
import type { JsonFileWarning } from "./warning.js";
import { watchChanges } from "./watch-changes.js";

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
  readonly #names = new FolderNames();
  readonly #journals: JournalCache;
  readonly #summaries: Summaries;
  /** Rotations: nobody waits for them but `close`. */
  readonly #background = new Set<Promise<void>>();
  /** Expired sessions whose rotation was begun. */
  readonly #buried = new Set<string>();

  constructor(context: JsonFileContext) {
    this.#context = context;
    if (context.leaseClock !== undefined) this.leaseClock = context.leaseClock;
    const open = (name: string): Journal => new Journal(new JournalPlace(context, name));
    this.#journals = new JournalCache(open, context.handles.queue);
    context.handles.releaseIdle = () => this.#journals.releaseIdle();
    context.handles.reserve();
    this.#summaries = new Summaries(context, this.#journals, (name) => this.#bury(name));
  }

  commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    return this.#context.handles.queue.run(() => this.#commit(requests));
  }

  async #commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const { access, root, doorbell } = this.#context;
    if (access.mode === "read-only") throw readOnlyRefusal(root, access.reason);
    const [first] = requests;
    if (first === undefined) return [];
    const name = this.#names.of(first.sessionId);
    const journal = this.#journals.take(name);
    try {
      const outcomes = await journal.commit(first.sessionId, requests);
      if (outcomes.some(({ status }) => status === "applied")) doorbell.ring(name);
      this.#rotateWhereDue(name, journal);
      return outcomes;
    } catch (error) {
      throw this.#heeded(name, error);
    } finally {
      this.#journals.giveBack(name);
    }
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    return this.#withState(sessionId, (state) => frozenRecord(readState(sessionId, state, select)));
  }

  document(sessionId: string): Promise<SessionDocument | undefined> {
    return this.#withState(sessionId, (state) => frozen(documentOf(state)));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    await this.#context.handles.queue.run(async () => this.#context.format.check());
    const summaries: SummaryRecord[] = [];
    for await (const listed of this.#summaries.all()) {
      if (listed.status === "live") summaries.push(listed.summary);
    }
    return listSummaries(summaries, query);
  }

  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change> {
    const { session } = target;
    const look = (names: ReadonlySet<string> | "all"): AsyncIterable<Sighting> =>
      session === undefined ? this.#sighted(names) : this.#sightedOne(session);
    return watchChanges(target, signal, { ...this.#context, look });
  }

  async verify(sessionId: string): Promise<Verification | undefined> {
    const name = this.#names.of(sessionId);
    const verification = await this.#context.handles.queue.run(async () => {
      this.#context.format.check();
      return verified(new JournalPlace(this.#context, name), sessionId);
    });
    if (verification?.ok === false) this.#distrust(name);
    return verification;
  }

  async describe(): Promise<StoreDescription> {
    const trouble = this.#trouble();
    return {
      store: "json-file",
      location: this.#context.root,
      format: { version: JOURNAL_VERSION, supported: JOURNAL_VERSION },
      durability: this.#context.strict
        ? { survives: "machine", detail: "A commit is on the disk (fdatasync) before it is acknowledged." }
        : {
            survives: "process",
            detail:
              "A commit may be lost when the machine (not the process) dies within seconds after it. A session that was being written then may have to be salvaged.",
          },
      capabilities: CAPABILITIES,
      healthy: trouble === undefined,
      warnings: [...this.#context.warnings.messages, ...(trouble === undefined ? [] : [trouble])],
    };
  }

  /** What keeps the store from working at all, in a sentence. */
  #trouble(): string | undefined {
    const { format, fileSystem, sessions } = this.#context;
    try {
      format.check();
      return fileSystem.stat(sessions) === undefined ? `${sessions} is not there.` : undefined;
    } catch (error) {
      return asSessionError(error, undefined, sessions).message;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#background);
    this.#journals.closeAll();
    this.#context.format.close();
    this.#context.handles.close();
    this.#context.doorbell.close();
  }

  async #withState<Result>(
    sessionId: string,
    use: (state: LiveState) => Result,
  ): Promise<Result | undefined> {
    await this.#context.share.continue();
    const head = await this.#head(sessionId);
    const state = stateAt(head?.fold.state, this.#context.now());
    return state?.status === "live" ? use(state) : undefined;
  }

  async #head(sessionId: string): Promise<Segment | undefined> {
    const name = this.#names.of(sessionId);
    try {
      return await this.#journals.use(name, (journal) => {
        this.#context.format.check();
        return journal.read(sessionId);
      });
    } catch (error) {
      throw this.#heeded(name, error);
    }
  }

  #heeded(name: string, error: unknown): unknown {
    if (SessionError.is(error, "SESSION_CORRUPTED")) this.#distrust(name);
    return error;
  }

  /** Damage was found in the file. What is in memory from before must not hide it. */
  #distrust(name: string): void {
    this.#summaries.forget(name);
    this.#journals.forget(name);
  }

  /** The sessions in these folders, for those who watch the store. */
  async *#sighted(names: ReadonlySet<string> | "all"): AsyncGenerator<Sighting> {
    if (names === "all") {
      for await (const listed of this.#summaries.all()) yield sightingOf(listed);
      return;
    }
    for (const name of names) {
      const listed = await this.#summaries.of(name);
      if (listed !== undefined) yield sightingOf(listed);
    }
  }

  /** One session, for those who watch it alone: they are told if it is damaged. */
  async *#sightedOne(sessionId: string): AsyncGenerator<Sighting> {
    const listed = await this.#summaries.of(this.#names.of(sessionId));
    if (listed?.id === sessionId) yield sightingOf(listed);
    else await this.#withState(sessionId, () => undefined);
  }

  #rotateWhereDue(name: string, journal: Journal): void {
    const occasion = journal.takeOccasion();
    if (occasion !== undefined) this.#rotate(name, occasion);
  }

  /** An expired session is given its tombstone, once: whoever lists the store comes by. */
  #bury(name: string): void {
    if (!this.#context.writable || this.#buried.has(name)) return;
    this.#buried.add(name);
    this.#rotate(name, "ended");
  }

  #rotate(name: string, occasion: Occasion): void {
    const rotation = this.#journals
      .use(name, (journal) => journal.rotate(occasion))
      .then(
        () => undefined,
        (cause: unknown) =>
          this.#context.warnings.give(rotationFailed(join(this.#context.sessions, name), cause)),
      )
      .finally(() => this.#background.delete(rotation));
    this.#background.add(rotation);
  }
}

function rotationFailed(path: string, cause: unknown): JsonFileWarning {
  const message = `The journal in ${path} could not be rewritten. It goes on growing; nothing is lost.`;
  return { code: "ROTATION_FAILED", message, path, cause };
}
