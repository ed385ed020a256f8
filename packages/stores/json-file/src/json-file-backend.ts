import { join } from "node:path";
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
  listStates,
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
  summaryOf,
  type Verification,
  type WatchTarget,
} from "@sessions/protocol";
import { type Access, readOnlyRefusal } from "./access.js";
import type { Doorbell } from "./doorbell.js";
import { corrupted } from "./error-mapping.js";
import { EventLoopShare } from "./event-loop-share.js";
import type { FileSystem } from "./file-system.js";
import { Damage, type Fold, JOURNAL_VERSION } from "./fold.js";
import { Journal } from "./journal.js";
import { JournalCache } from "./journal-cache.js";
import type { NetInterval } from "./net-interval.js";
import { folderName } from "./session-path.js";
import { type Sighting, sightingOf } from "./sighting.js";
import { Sightings } from "./sightings.js";
import type { StoreFormat } from "./store-format.js";
import type { Warnings } from "./warnings.js";
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

/** What a backend on a folder works with. */
export interface JsonFileContext {
  readonly fileSystem: FileSystem;
  readonly format: StoreFormat;
  readonly root: string;
  readonly access: Access;
  readonly warnings: Warnings;
  readonly doorbell: Doorbell;
  readonly netIntervalMs: NetInterval;
  readonly strict: boolean;
  readonly now: () => number;
}

/** Sessions as a folder of journals, each folded by `applyCommit`. */
export class JsonFileBackend implements SessionBackend {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #context: JsonFileContext;
  readonly #journals: JournalCache;
  readonly #share = new EventLoopShare();
  readonly #sightings: Sightings;

  constructor(context: JsonFileContext) {
    this.#context = context;
    const { root, fileSystem, strict } = context;
    const place = { fileSystem, strict, sessions: join(root, "sessions"), tmp: join(root, "tmp") };
    this.#journals = new JournalCache((folder) => new Journal({ ...place, folder }));
    const stat = (folder: string) => fileSystem.stat(join(place.sessions, folder, "1.jsonl"));
    this.#sightings = new Sightings(stat, context.now);
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const { access, doorbell, format, root } = this.#context;
    if (access.mode === "read-only") throw readOnlyRefusal(root, access.reason);
    format.check();
    const [first] = requests;
    if (first === undefined) return [];
    const folder = folderName(first.sessionId);
    const outcomes = await this.#journals.use(folder, (journal) => {
      this.#refuseForeign(first.sessionId, journal.read(), journal.path);
      return journal.commit(first.sessionId, requests);
    });
    if (outcomes.some((outcome) => outcome.status === "applied")) doorbell.ring(folder);
    return outcomes;
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    return this.#withState(sessionId, (state) => frozenRecord(readState(sessionId, state, select)));
  }

  document(sessionId: string): Promise<SessionDocument | undefined> {
    return this.#withState(sessionId, (state) => frozen(documentOf(state)));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    this.#context.format.check();
    const summaries: SummaryRecord[] = [];
    for await (const { id, state } of this.#states()) {
      if (state.status === "live") summaries.push(frozen(summaryOf(id, state)));
    }
    return listStates(summaries, query);
  }

  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change> {
    const { session } = target;
    const look = (folders: ReadonlySet<string> | "all") =>
      session === undefined ? this.#sighted(folders) : this.#sightedOne(session);
    return watchChanges(target, signal, { ...this.#context, look });
  }

  async verify(sessionId: string): Promise<Verification | undefined> {
    const { root, fileSystem, strict } = this.#context;
    const folder = folderName(sessionId);
    // Read from the beginning, past every cache.
    const journal = new Journal({
      fileSystem,
      strict,
      sessions: join(root, "sessions"),
      tmp: join(root, "tmp"),
      folder,
    });
    try {
      const fold = journal.read();
      if (fold?.state === undefined || fold.state.status === "deleted") return undefined;
      const { revision, history } = fold.state;
      return { sessionId, ok: true, revision, messages: history.messages.length, findings: fold.benign };
    } catch (error) {
      if (!SessionError.is(error, "SESSION_CORRUPTED")) throw error;
      const finding = {
        severity: "harmful",
        detail: error.message,
        location: error.location ?? journal.path,
      } as const;
      return { sessionId, ok: false, revision: 0, messages: 0, findings: [finding] };
    } finally {
      journal.close();
    }
  }

  async describe(): Promise<StoreDescription> {
    const { root, strict } = this.#context;
    return {
      store: "json-file",
      location: root,
      format: { version: JOURNAL_VERSION, supported: JOURNAL_VERSION },
      durability: strict
        ? { survives: "machine", detail: "A commit is on the disk (fdatasync) before it is acknowledged." }
        : {
            survives: "process",
            detail: "A commit may be lost when the machine dies within seconds after it.",
          },
      capabilities: CAPABILITIES,
      healthy: true,
      warnings: this.#context.warnings.messages,
    };
  }

  async close(): Promise<void> {
    this.#journals.closeAll();
    this.#context.doorbell.close();
  }

  async #withState<Result>(
    sessionId: string,
    use: (state: LiveState) => Result,
  ): Promise<Result | undefined> {
    await this.#share.take();
    this.#context.format.check();
    const state = await this.#stateOf(sessionId);
    return state?.status === "live" ? use(state) : undefined;
  }

  #stateOf(sessionId: string): Promise<ReturnType<typeof stateAt>> {
    return this.#journals.use(folderName(sessionId), (journal) => {
      const fold = journal.read();
      this.#refuseForeign(sessionId, fold, journal.path);
      return stateAt(fold?.state, this.#context.now());
    });
  }

  /** Every session that can be read. A damaged one disturbs no other; it is not said to be absent when it is asked for. */
  async *#states(): AsyncGenerator<{ readonly id: string; readonly state: SessionState }> {
    for (const folder of this.#context.fileSystem.list(join(this.#context.root, "sessions"))) {
      const found = await this.#stateIn(folder);
      await this.#share.take();
      if (found !== undefined) yield found;
    }
  }

  #stateIn(folder: string): Promise<{ readonly id: string; readonly state: SessionState } | undefined> {
    return this.#journals.use(folder, (journal) => {
      const fold = readable(journal);
      const state = stateAt(fold?.state, this.#context.now());
      return fold?.header === undefined || state === undefined ? undefined : { id: fold.header.id, state };
    });
  }

  /** The sessions in these folders, for those who watch the store. */
  async *#sighted(where: ReadonlySet<string> | "all"): AsyncGenerator<Sighting> {
    const all = where === "all" ? this.#context.fileSystem.list(join(this.#context.root, "sessions")) : [];
    if (where === "all") this.#sightings.retain(all);
    for (const folder of where === "all" ? all : where) {
      const seen = await this.#sightings.see(folder, async () => {
        const found = await this.#stateIn(folder);
        return found === undefined ? undefined : sightingOf(found.id, found.state);
      });
      await this.#share.take();
      if (seen !== undefined) yield seen;
    }
  }

  /** One session, for those who watch it alone: they are told if it is damaged. */
  async *#sightedOne(sessionId: string): AsyncGenerator<Sighting> {
    const seen = await this.#sightings.see(folderName(sessionId), async () => {
      const state = await this.#stateOf(sessionId);
      return state === undefined ? undefined : sightingOf(sessionId, state);
    });
    if (seen?.id === sessionId) yield seen;
    else if (seen !== undefined) await this.#stateOf(sessionId); // another's journal: this tells what is wrong
  }

  #refuseForeign(sessionId: string, fold: Fold | undefined, path: string): void {
    const id = fold?.header?.id;
    if (id === undefined || id === sessionId) return;
    throw corrupted(sessionId, path, new Damage(0, `the journal is that of session "${id}"`));
  }
}

function readable(journal: Journal): Fold | undefined {
  try {
    return journal.read();
  } catch (error) {
    if (SessionError.is(error, "SESSION_CORRUPTED")) return undefined;
    throw error;
  }
}
