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
import { Commits } from "./commits.js";
import { noteDamagedIndex } from "./damaged-index.js";
import { Deadline } from "./deadline.js";
import { describeStore } from "./describe-store.js";
import { asSessionError } from "./error-mapping.js";
import { Feed } from "./feed.js";
import { listSessions } from "./list-sessions.js";
import type { RedisContext } from "./redis-context.js";
import type { First } from "./sessions.js";
import { Tidying } from "./tidying.js";
import { verifySession } from "./verify-session.js";

const CAPABILITIES: Capabilities = {
  groupCommit: "session",
  durable: { supported: true },
  multiProcess: { supported: true },
  search: { supported: false, reason: "Redis has no full-text search without modules." },
};

/** So many of the last messages are read along with a session whose messages are all asked for. */
const TAIL = 300;

/** Sessions in Redis. Commits are decided by `applyCommit` on states that are read as far as needed. */
export class RedisBackend implements SessionBackend {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #context: RedisContext;
  readonly #commits: Commits;
  readonly #feed: Feed;
  readonly #tidying: Tidying;

  constructor(context: RedisContext) {
    this.#context = context;
    this.#commits = new Commits(context);
    this.#feed = new Feed(context);
    this.#tidying = new Tidying(context);
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const [first] = requests;
    return first === undefined ? [] : this.#commits.commit(first.sessionId, requests);
  }

  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    const first = firstOf(select.messages);
    const asked = select.background === true ? { ...first, background: true } : first;
    return this.#withState(sessionId, asked, (state) =>
      frozenExceptMessages(readState(sessionId, state, select)),
    );
  }

  document(sessionId: string): Promise<SessionDocument | undefined> {
    const first = { tail: TAIL, givenCommits: true, finishedTurns: true };
    return this.#withState(sessionId, first, (state) => frozen(documentOf(state)));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    const { server, keys, location, notes } = this.#context;
    try {
      const page = await listSessions(
        {
          server,
          keys,
          onStale: (stale) => this.#tidying.soon(stale),
          onDamage: (id, error) =>
            notes.take(
              `damage of ${id}`,
              `Session "${id}" is damaged and was left out of a list: ${error.message}`,
            ),
          onWrongType: (shard) => noteDamagedIndex(notes, shard),
        },
        query,
        this.#deadline(),
      );
      return frozen(page);
    } catch (error) {
      throw asSessionError(error, location);
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
    const { pruning, index, replication } = this.#context;
    await Promise.all([this.#feed.close(), this.#tidying.stop(), pruning.stop(), index.close()]);
    replication?.close();
    this.#context.server.client.disconnect();
  }

  #deadline(): Deadline {
    return new Deadline(this.#context.clock, this.#context.deadlineMs);
  }

  async #withState<Result>(
    sessionId: string,
    first: First,
    use: (state: LiveState) => Result,
  ): Promise<Result | undefined> {
    const { sessions, location } = this.#context;
    try {
      return await sessions.look(sessionId, first, this.#deadline(), (moment) => {
        const state = stateAt(moment.state, moment.now);
        return state?.status === "live" ? use(state) : undefined;
      });
    } catch (error) {
      throw asSessionError(error, location, sessionId);
    }
  }
}

/** What a selection will certainly ask for. */
function firstOf(select: MessageSelection): First {
  if (select === "none") return {};
  if (select === "all") return { tail: TAIL };
  if ("ids" in select) {
    const fields = select.ids.map((id) => `i${id}`);
    return { fields, likely: fields };
  }
  const ids = [select.after, select.before].filter((id) => id !== undefined);
  const isTail = select.archive === undefined && select.before === undefined;
  return {
    fields: ids.map((id) => `i${id}`),
    ...(isTail ? { tail: Math.min(select.last ?? TAIL, TAIL) } : {}),
  };
}
