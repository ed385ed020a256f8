// Users whose own `lib` has no AsyncDisposable yet need this to compile against us.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Capabilities } from "../backend/capabilities.js";
import type { Change, WatchTarget } from "../backend/change.js";
import type { Page } from "../backend/list-query.js";
import type { SearchHit, SearchQuery } from "../backend/search.js";
import type { StoreDescription } from "../backend/store-description.js";
import type { SessionSummary } from "../session/session.js";
import type { MutationOptions, MutationResult, ReadOptions } from "./mutation.js";
import type { ListSessionsQuery } from "./queries.js";
import type { SessionBundle } from "./session-bundle.js";
import type { SessionHandle } from "./session-handle.js";
import type { SessionMethods } from "./session-methods.js";

/** One page when awaited, every item with `for await`. */
export interface Listing<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {}

/**
 * A store of sessions. Every change is one atomic commit. Every promise resolves when the change is as durable as
 * `describe()` says. `createStore` is the one implementation, on any `SessionBackend`.
 */
export interface SessionStore extends SessionMethods, AsyncDisposable {
  /** What this store supports, and the reasons for what it does not support. */
  readonly capabilities: Capabilities;
  /** Lists sessions: one page when awaited, all of them with `for await`. */
  listSessions(query?: ListSessionsQuery): Listing<SessionSummary>;
  /** Creates a session from a bundle. The same bundle again is a duplicate. Any other existing session is SESSION_EXISTS. */
  importSession(
    bundle: SessionBundle,
    options?: MutationOptions & { readonly newId?: string | undefined },
  ): Promise<MutationResult & { readonly sessionId: string }>;
  /**
   * Changes as they happen, coalesced. The last one is always delivered, deletions too. Ends at once with `signal`, or
   * when the iterator's `return()` is called, also during the wait for a change. That wait keeps the process alive.
   */
  watch(target?: WatchTarget & ReadOptions): AsyncIterable<Change>;
  /** Present if `capabilities.search` is supported. */
  search?(query: SearchQuery & ReadOptions): Promise<Page<SearchHit>>;
  /** The same methods without the id. Does no I/O. */
  session(id: string): SessionHandle;
  /** The kind, location, durability and health of this store. */
  describe(): Promise<StoreDescription>;
  /** Waits for accepted commits, and ends waiting calls with STORE_CLOSED. Further calls do nothing. */
  close(): Promise<void>;
}
