import {
  type Capabilities,
  type Change,
  type CommitOutcome,
  type CommitRequest,
  documentOf,
  frozen,
  frozenExceptMessages,
  type ListQuery,
  type LiveState,
  type MessageSelection,
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
} from "@sessions/protocol/backend";
import { Commits } from "./commit/commits.js";
import { Deadline } from "./engine/deadline.js";
import { asSessionError } from "./error-mapping.js";
import { Feed } from "./feed/feed.js";
import { listSessions } from "./listing/list-sessions.js";
import type { RedisContext } from "./redis-context.js";
import { loadEntry } from "./session/session-entry.js";
import type { FirstRead } from "./session/sessions.js";
import { describeStore } from "./upkeep/describe-store.js";
import { verifySession } from "./upkeep/verify-session.js";

const CAPABILITIES: Capabilities = {
  groupCommit: "session",
  durable: { supported: true },
  multiProcess: { supported: true },
  search: { supported: false, reason: "Redis has no full-text search without modules." },
};

/** So many of the last messages are read along with a session whose messages are all asked for. */
const TAIL = 300;

/** Sessions in Redis. `applyCommit` decides commits, on states that are read as far as they are needed. */
export class RedisBackend implements SessionBackend {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #context: RedisContext;
  readonly #commits: Commits;
  readonly #feed: Feed;

  constructor(context: RedisContext) {
    this.#context = context;
    this.#commits = new Commits(context);
    this.#feed = new Feed(context);
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const [first] = requests;
    return first === undefined ? [] : this.#commits.commit(first.sessionId, requests);
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    const first = { ...firstRead(select.messages), background: select.background };
    return this.#withState(sessionId, first, (state) =>
      frozenExceptMessages(readState(sessionId, state, select)),
    );
  }

  document(sessionId: string): Promise<SessionDocument | undefined> {
    const first = { tail: TAIL, allCommits: true, allTurns: true };
    return this.#withState(sessionId, first, (state) => frozen(documentOf(state)));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    try {
      return frozen(await listSessions(this.#context, query, this.#deadline()));
    } catch (error) {
      throw asSessionError(error, this.#context.location);
    }
  }

  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change> {
    return this.#feed.watch(target, signal);
  }

  async verify(sessionId: string): Promise<Verification | undefined> {
    try {
      return await verifySession(this.#context, sessionId, this.#deadline());
    } catch (error) {
      throw asSessionError(error, this.#context.location, sessionId);
    }
  }

  describe(): Promise<StoreDescription> {
    return describeStore(this.#context, this.capabilities, this.#deadline());
  }

  async close(): Promise<void> {
    const { burial, replication, server } = this.#context;
    await Promise.all([this.#feed.close(), burial.stop(), this.#commits.stop()]);
    replication?.close();
    server.close();
  }

  #deadline(): Deadline {
    return new Deadline(this.#context.clock, this.#context.deadlineMs);
  }

  async #withState<Result>(
    sessionId: string,
    first: FirstRead,
    use: (state: LiveState) => Result,
  ): Promise<Result | undefined> {
    const { sessions, location } = this.#context;
    try {
      return await sessions.read(sessionId, first, this.#deadline(), ({ entry, rows }) => {
        const state = stateAt(loadEntry(entry, rows)?.state, entry.now);
        return state?.status === "live" ? use(state) : undefined;
      });
    } catch (error) {
      throw asSessionError(error, location, sessionId);
    }
  }
}

/** What a selection will certainly ask for. */
function firstRead(select: MessageSelection): FirstRead {
  if (select === "none") return {};
  if (select === "all") return { tail: TAIL };
  if ("ids" in select) return { ids: select.ids };
  const ids = [select.after, select.before].filter((id) => id !== undefined);
  const isTail = select.archive === undefined && select.before === undefined;
  return { ids, ...(isTail ? { tail: Math.min(select.last ?? TAIL, TAIL) } : {}) };
}
