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

/** One page when awaited, every item by `for await`. */
export interface Listing<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {}

/**
 * Where sessions live. Every change is one atomic commit; every promise resolves when the change is as durable as
 * `describe()` says. `createStore` is the one implementation, on any `SessionBackend`.
 */
export interface SessionStore extends SessionMethods, AsyncDisposable {
  /** What this store can do, and why not where it cannot. */
  readonly capabilities: Capabilities;
  /** Lists sessions: a page when awaited, all of them by `for await`. */
  listSessions(query?: ListSessionsQuery): Listing<SessionSummary>;
  /** Makes a session from a bundle. The same bundle again is a duplicate; anything else SESSION_EXISTS. */
  importSession(
    bundle: SessionBundle,
    options?: MutationOptions & { readonly newId?: string | undefined },
  ): Promise<MutationResult & { readonly sessionId: string }>;
  /**
   * Changes as they happen, coalesced: the last one is always delivered, deletions too. Ends at once with
   * `signal`, or when the iterator's `return()` is called, also while a change is waited for. Waiting for a change keeps
   * the process alive.
   */
  watch(target?: WatchTarget & ReadOptions): AsyncIterable<Change>;
  /** Present where `capabilities.search` is. */
  search?(query: SearchQuery & ReadOptions): Promise<Page<SearchHit>>;
  /** The same methods without the id. No I/O. */
  session(id: string): SessionHandle;
  /** What this store is, and what it really promises. */
  describe(): Promise<StoreDescription>;
  /** Waits for accepted commits, ends waiters with STORE_CLOSED. May be called again. */
  close(): Promise<void>;
}
