import type { SessionDocument } from "../session/session-document.js";
import type { Capabilities } from "./capabilities.js";
import type { Change, WatchTarget } from "./change.js";
import type { CommitOutcome } from "./commit-outcome.js";
import type { CommitRequest } from "./commit-request.js";
import type { LeaseClock } from "./lease-time.js";
import type { ListQuery, Page } from "./list-query.js";
import type { SearchHit, SearchQuery } from "./search.js";
import type { Selection } from "./selection.js";
import type { SessionRecord } from "./session-record.js";
import type { StoreDescription } from "./store-description.js";
import type { Verification } from "./verification.js";

/** A summary as backends list it. The turn is as stored; `createStore` computes what users see of it. */
export type SummaryRecord = Omit<SessionRecord, "messages" | "revisions">;

/**
 * What a store author writes. It gets requests that are validated, planned and complete with ids; `createStore` does the
 * rest. Failures are thrown as `SessionError`. Absence, and nothing else, is `undefined`.
 */
export interface SessionBackend {
  /** What it can do, and why not where it cannot. Available before anything is read. */
  readonly capabilities: Capabilities;
  /**
   * A clock that all processes on the same data can read, if there is one. With it, the turn of a dead process is taken over
   * as soon as its lease is over. Without it, another process must first observe the lease unchanged for its whole time to
   * live.
   */
  readonly leaseClock?: LeaseClock;
  /**
   * Applies each request atomically, in order, with the outcome that `applyCommit` returns. One outcome per request: a
   * rejected one does not affect the others. Resolves when all of them are durable. The next call for the same sessions
   * comes after that.
   */
  commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]>;
  /** Always fresh: sees every commit that was acknowledged before the call, by any process. */
  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined>;
  /** The whole session at one revision. */
  document(sessionId: string): Promise<SessionDocument | undefined>;
  /** One page of sessions: complete, in order, without deleted and expired ones. */
  list(query: ListQuery): Promise<Page<SummaryRecord>>;
  /** Ends soon after `signal` aborts, also while it waits or reads, and leaves nothing running. */
  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change>;
  /** Reads and checks everything of one session. `undefined` if there is none. */
  verify(sessionId: string): Promise<Verification | undefined>;
  /** Only where `capabilities.search` is supported. */
  search?(query: SearchQuery): Promise<Page<SearchHit>>;
  /** The durability, format version and health that are in force now. Without secrets. */
  describe(): Promise<StoreDescription>;
  /** Releases everything that it opened. `createStore` calls it once, when no call is running. */
  close(): Promise<void>;
}
