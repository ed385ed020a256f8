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
  type SessionRecord,
  type StoreDescription,
  type SummaryRecord,
  stateAt,
  type Verification,
  type WatchTarget,
} from "@sessions/protocol";
import { Damage } from "./damage.js";
import { corrupted } from "./error-mapping.js";
import { Journal } from "./journal.js";
import { JournalCache } from "./journal-cache.js";
import { JOURNAL_VERSION } from "./journal-line.js";
import { type JournalContext, JournalPlace } from "./journal-place.js";
import { pollChanges } from "./poll-changes.js";
import type { Segment } from "./segment.js";
import { folderName } from "./session-path.js";
import type { StoreFormat } from "./store-format.js";
import { type Listed, Summaries } from "./summaries.js";
import { verified } from "./verified.js";

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
  readonly #root: string;
  readonly #format: StoreFormat;
  readonly #context: JournalContext;
  readonly #journals: JournalCache;
  readonly #summaries: Summaries;
  /** Rotations: nobody waits for them but `close`. */
  readonly #background = new Set<Promise<void>>();

  constructor(root: string, format: StoreFormat, context: JournalContext) {
    this.#root = root;
    this.#format = format;
    this.#context = context;
    this.#journals = new JournalCache((name) => new Journal(new JournalPlace(context, name)));
    this.#summaries = new Summaries(context, this.#journals);
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    this.#format.check();
    const [first] = requests;
    if (first === undefined) return [];
    const name = folderName(first.sessionId);
    return this.#journals.use(name, async (journal) => {
      refuseForeign(first.sessionId, await journal.read());
      const outcomes = await journal.commit(first.sessionId, requests);
      this.#rotateWhereDue(name, journal);
      return outcomes;
    });
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    return this.#withState(sessionId, (state) => frozenRecord(readState(sessionId, state, select)));
  }

  document(sessionId: string): Promise<SessionDocument | undefined> {
    return this.#withState(sessionId, (state) => frozen(documentOf(state)));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    this.#format.check();
    const summaries: SummaryRecord[] = [];
    for await (const listed of this.#summaries.all()) {
      if (listed.status === "live") summaries.push(listed.summary);
    }
    return listStates(summaries, query);
  }

  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change> {
    const { session } = target;
    return pollChanges(
      target,
      signal,
      async function* (this: JsonFileBackend): AsyncGenerator<Listed> {
        if (session === undefined) return yield* this.#summaries.all();
        const listed = await this.#summaries.of(folderName(session));
        if (listed !== undefined) yield listed;
      }.bind(this),
    );
  }

  async verify(sessionId: string): Promise<Verification | undefined> {
    this.#format.check();
    return verified(new JournalPlace(this.#context, folderName(sessionId)), sessionId);
  }

  async describe(): Promise<StoreDescription> {
    return {
      store: "json-file",
      location: this.#root,
      format: { version: JOURNAL_VERSION, supported: JOURNAL_VERSION },
      durability: this.#context.strict
        ? { survives: "machine", detail: "A commit is on the disk (fdatasync) before it is acknowledged." }
        : {
            survives: "process",
            detail: "A commit may be lost when the machine dies within seconds after it.",
          },
      capabilities: CAPABILITIES,
      healthy: true,
      warnings: [],
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#background);
    this.#journals.closeAll();
  }

  async #withState<Result>(
    sessionId: string,
    use: (state: LiveState) => Result,
  ): Promise<Result | undefined> {
    await this.#context.share.take();
    this.#format.check();
    const head = await this.#journals.use(folderName(sessionId), (journal) => journal.read());
    refuseForeign(sessionId, head);
    const state = stateAt(head?.fold.state, this.#context.now());
    return state?.status === "live" ? use(state) : undefined;
  }

  #rotateWhereDue(name: string, journal: Journal): void {
    const occasion = journal.takeOccasion();
    if (occasion === undefined) return;
    const rotation = this.#journals
      .use(name, (same) => same.rotate(occasion))
      .then(
        () => undefined,
        (cause: unknown) => {
          const message = `The journal in ${name} could not be rewritten. It goes on growing; nothing is lost.`;
          this.#context.warn({ code: "ROTATION_FAILED", message, cause });
        },
      )
      .finally(() => this.#background.delete(rotation));
    this.#background.add(rotation);
  }
}

function refuseForeign(sessionId: string, head: Segment | undefined): void {
  const id = head?.fold.header?.id;
  if (head === undefined || id === undefined || id === sessionId) return;
  throw corrupted(sessionId, head.path, new Damage(0, `the journal is that of session "${id}"`));
}
