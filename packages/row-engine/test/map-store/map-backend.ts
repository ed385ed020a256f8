import {
  applyCommit,
  type Capabilities,
  type Change,
  ChangeFeed,
  type CommitOutcome,
  type CommitRequest,
  decodeCursor,
  documentOf,
  encodeCursor,
  frozen,
  frozenRecord,
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
  summaryOf,
  TOMBSTONE_MS,
  type Verification,
  type WatchTarget,
} from "@sessions/protocol/backend";
import { type LoadedSession, loadSession, planEnd, planLive, type SessionChange } from "../../src/index.js";
import { MapSession } from "./map-session.js";

const ABSENT = { supported: false, reason: "Rows in maps are for tests of the row engine." } as const;
const CAPABILITIES: Capabilities = {
  groupCommit: "store",
  durable: ABSENT,
  multiProcess: ABSENT,
  search: ABSENT,
};

/** Sessions as rows in maps: the smallest store on the row engine. */
export class MapBackend implements SessionBackend {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #sessions = new Map<string, MapSession>();
  readonly #feed = new ChangeFeed();
  readonly #id = crypto.randomUUID();
  readonly #now: () => number;
  #changes = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    return requests.map((request) => this.#commit(request));
  }

  async read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    const state = this.#live(sessionId);
    return state && frozenRecord(readState(sessionId, state, select));
  }

  async document(sessionId: string): Promise<SessionDocument | undefined> {
    const state = this.#live(sessionId);
    return state && frozen(documentOf(state));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    const summaries = [...this.#sessions.keys()].flatMap((id) => {
      const state = this.#live(id);
      return state === undefined ? [] : [frozen(summaryOf(id, state))];
    });
    return listSummaries(summaries, query);
  }

  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change> {
    return this.#feed.watch(target, signal, () => this.#missed(target));
  }

  async verify(sessionId: string): Promise<Verification | undefined> {
    const state = this.#live(sessionId);
    if (state === undefined) return undefined;
    const messages = state.history.messages.slice().length;
    return { sessionId, ok: true, revision: state.revision, messages, findings: [] };
  }

  async describe(): Promise<StoreDescription> {
    return {
      store: "map",
      location: "this process",
      format: { version: 1, supported: 1 },
      durability: { survives: "nothing", detail: "Everything is lost when the process ends." },
      capabilities: CAPABILITIES,
      healthy: true,
      warnings: [],
    };
  }

  async close(): Promise<void> {
    // nothing was opened
  }

  #load(sessionId: string): LoadedSession | undefined {
    const session = this.#sessions.get(sessionId);
    const stored = session?.stored;
    return session && stored && loadSession(stored, session, sessionId);
  }

  #live(sessionId: string): LiveState | undefined {
    this.#endExpired(sessionId);
    const state = this.#load(sessionId)?.state;
    return state?.status === "live" ? state : undefined;
  }

  #commit(request: CommitRequest): CommitOutcome {
    const { sessionId, at } = request;
    this.#endExpired(sessionId, at);
    const before = this.#load(sessionId);
    const isForgotten = before?.state.status === "deleted" && before.state.deletedAt + TOMBSTONE_MS <= at;
    const { outcome, state } = applyCommit(isForgotten ? undefined : before?.state, request);
    if (outcome.status !== "applied" || state === undefined) return outcome;
    this.#write(sessionId, before, state, request);
    if (outcome.revision !== before?.state.revision) this.#publish(sessionId, state.revision, at);
    return outcome;
  }

  #write(
    id: string,
    before: LoadedSession | undefined,
    after: LoadedSession["state"],
    { ops, at }: Pick<CommitRequest, "ops" | "at">,
  ): void {
    const session = this.#sessions.get(id) ?? new MapSession();
    const change: SessionChange = {
      before,
      ops,
      rows: session,
      rowOf: (message) => session.cache.rowOf(message),
      firstRow: 0,
      staged: undefined,
      now: at,
    };
    if (after.status === "live") session.writeLive(planLive(change, after));
    else session.writeEnd(planEnd(change, after));
    this.#sessions.set(id, session);
  }

  #endExpired(sessionId: string, at: number = this.#now()): void {
    const before = this.#load(sessionId);
    const after = stateAt(before?.state, at);
    if (before === undefined || after === undefined || after === before.state) return;
    this.#write(sessionId, before, after, { ops: [], at });
    this.#publish(sessionId, after.revision, at);
  }

  #publish(sessionId: string, revision: number, at: number): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    session.change = ++this.#changes;
    this.#feed.publish(this.#changeOf(sessionId, session, revision, at));
  }

  #changeOf(sessionId: string, { stored, change }: MapSession, revision: number, at: number): Change {
    const deleted = stored?.status === "deleted" ? { deleted: true } : {};
    return { sessionId, revision, at, ...deleted, cursor: encodeCursor({ store: this.#id, change }) };
  }

  #missed({ session: id, since }: WatchTarget): readonly Change[] {
    for (const sessionId of this.#sessions.keys()) this.#endExpired(sessionId);
    if (since === undefined) return [];
    const seen = typeof since === "number" ? since : this.#readCursor(since);
    return [...this.#sessions]
      .filter(([sessionId]) => id === undefined || id === sessionId)
      .sort(([, a], [, b]) => a.change - b.change)
      .flatMap(([sessionId, session]) => {
        const { stored } = session;
        if (stored === undefined || (id === undefined ? session.change : stored.revision) <= seen) return [];
        const at = stored.status === "live" ? stored.updatedAt : stored.deletedAt;
        return [this.#changeOf(sessionId, session, stored.revision, at)];
      });
  }

  #readCursor(cursor: string): number {
    const value: unknown = decodeCursor(cursor, "target.since");
    if (typeof value === "object" && value !== null && "store" in value && "change" in value)
      return value.store === this.#id && Number(value.change) <= this.#changes ? Number(value.change) : 0;
    throw SessionError.of("INVALID_ARGUMENT", "target.since is not a cursor.", { path: "target.since" });
  }
}
